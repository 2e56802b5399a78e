import Spatiotemporal

/// What one thread finds out and another waits for.
public struct Promise<Value: Sendable>: Sendable {
  private let value = Monitor<Value?>(nil)

  /// One that is not kept yet.
  public init() {}

  /// Says what was found out.
  public func fulfill(_ value: Value) { self.value.update { $0 = value } }

  /// What was found out, waited for as long as it takes.
  public func wait() -> Value { value.wait { $0 } }

  /// What was found out, waited for at most so many seconds; `nil` where nothing was by then.
  public func wait(seconds: Double) -> Value? {
    value.wait(until: .wallClock().adding(seconds: seconds)) { $0 }
  }
}
