/// Delays between attempts: doubled each time, up to a limit.
public struct Backoff: Hashable, Sendable {
  /// The seconds before the second attempt.
  public var first: Double
  /// The longest delay in seconds.
  public var most: Double

  /// A backoff.
  public init(first: Double = 1, most: Double = 3_600) {
    self.first = first
    self.most = most
  }

  /// The delay in seconds after `count` consecutive failures.
  public func seconds(afterFailures count: Int) -> Double {
    // The limit of 40 prevents an overflow.
    min(most, first * Double(1 << min(max(count - 1, 0), 40)))
  }
}
