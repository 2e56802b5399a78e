import CalendarModel
import Threads

/// What one thread finds out and another waits for.
struct Answer<Value: Sendable>: Sendable {
  private let value = Monitor<Value?>(nil)

  /// Says what was found out.
  func set(_ value: Value) { self.value.update { $0 = value } }

  /// What was found out, waited for as long as it takes.
  func wait() -> Value { value.wait { $0 } }

  /// What was found out, waited for at most so many seconds; `nil` where nothing was by then.
  func wait(seconds: Double) -> Value? {
    value.wait(until: .wallClock().adding(seconds: seconds)) { $0 }
  }
}
