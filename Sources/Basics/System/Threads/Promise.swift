import FencepostSpatiotemporal

/// A value that one thread provides and another waits for.
public struct Promise<Value: Sendable>: Sendable {
  private let value = Monitor<Value?>(nil)

  /// A promise without a value.
  public init() {}

  /// Provides the value.
  public func fulfill(_ value: Value) { self.value.update { $0 = value } }

  /// Waits for the value without a limit.
  public func wait() -> Value { value.wait { $0 } }

  /// Waits for the value for at most this many seconds; `nil` if it did not come.
  public func wait(seconds: Double) -> Value? {
    value.wait(until: .wallClock().adding(seconds: seconds)) { $0 }
  }
}
