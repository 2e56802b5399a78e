import Foundation

/// What one thread finds out and another waits for.
///
/// `@unchecked Sendable`: `value` is reached only under `condition`.
final class Answer<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var value: Value?

  /// Says what was found out.
  func set(_ value: Value) {
    condition.withLock {
      self.value = value
      condition.signal()
    }
  }

  /// What was found out, waited for at most so many seconds; `nil` where nothing was by then.
  func wait(seconds: Double) -> Value? {
    let deadline = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while value == nil, condition.wait(until: deadline) {}
      return value
    }
  }
}
