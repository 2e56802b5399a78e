/// How long to wait before another attempt: twice as long each time, up to a bound.
public struct Backoff: Hashable, Sendable {
  /// Seconds before the second attempt.
  public var first: Double
  /// Seconds that are never exceeded.
  public var most: Double

  /// A backoff.
  public init(first: Double = 1, most: Double = 3_600) {
    self.first = first
    self.most = most
  }

  /// Seconds to wait after so many failures in a row.
  public func seconds(afterFailures count: Int) -> Double {
    // Beyond 2^40 the bound holds, whatever it is.
    min(most, first * Double(1 << min(max(count - 1, 0), 40)))
  }
}
