import Foundation

/// Waits for a condition that another thread or program will fulfil.
///
/// - Returns: False after half a minute, which is enough for any machine.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(30)
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    usleep(5_000)
  }
  return try condition()
}
