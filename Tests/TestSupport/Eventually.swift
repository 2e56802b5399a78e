import Foundation

/// Waits for a condition that another thread or program will fulfil.
///
/// - Returns: False after two minutes, which is enough for any machine, however much else it does.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(120)
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    usleep(5_000)
  }
  return try condition()
}
