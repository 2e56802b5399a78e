/// Delays between attempts: doubled each time, up to a limit.
public struct Backoff: Hashable, Sendable {
  /// Seconds before the second attempt.
  public var first: Double
  /// The longest delay in seconds.
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
