import Foundation

/// Waits until something has happened, which another thread or program is about to do.
///
/// - Returns: False where it didn't within half a minute, which no machine is too slow for.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(30)
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    usleep(5_000)
  }
  return try condition()
}
