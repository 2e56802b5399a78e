/// A moment, in whole microseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX time).
///
/// An integer, unlike `Date`'s floating point: a moment must have the same bits in a trace, in the store and in a
/// firing's key. And the fast path from bytes to fixes must do its arithmetic within this module.
public struct Instant: Hashable, Sendable, Comparable {
  /// Microseconds since the epoch.
  public var microseconds: Int64

  /// The moment `microseconds` after the epoch.
  @inlinable
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The moment a whole number of `seconds` after the epoch. Clamps to the range.
  @inlinable
  public init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    microseconds = overflow ? (seconds < 0 ? .min : .max) : product
  }

  /// The moment `secondsSince1970` after the epoch, rounded to the microsecond; `nil` if the number is not finite or
  /// is beyond ±292,000 years.
  public init?(secondsSince1970: Double) {
    let scaled = (secondsSince1970 * 1e6).rounded()
    guard scaled > -9.2e18, scaled < 9.2e18 else { return nil }
    microseconds = Int64(scaled)
  }

  /// Seconds since the epoch.
  @inlinable
  public var secondsSince1970: Double { Double(microseconds) / 1e6 }

  /// Whole seconds since the epoch, rounded down.
  @inlinable
  public var wholeSeconds: Int64 {
    let quotient = microseconds / 1_000_000
    return microseconds % 1_000_000 < 0 ? quotient - 1 : quotient
  }

  /// The earlier moment first.
  @inlinable
  public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

  /// Seconds from `earlier` to this moment; negative if this one is earlier.
  @inlinable
  public func seconds(since earlier: Instant) -> Double {
    (Double(microseconds) - Double(earlier.microseconds)) / 1e6
  }

  /// This moment moved by `seconds`, rounded to the microsecond. Clamps to the range.
  public func adding(seconds: Double) -> Instant {
    guard let delta = Instant(secondsSince1970: seconds)?.microseconds else {
      return seconds < 0 ? .distantPast : .distantFuture
    }
    let (sum, overflow) = microseconds.addingReportingOverflow(delta)
    return overflow ? (delta < 0 ? .distantPast : .distantFuture) : Instant(microseconds: sum)
  }

  /// The earliest possible moment.
  public static let distantPast = Instant(microseconds: .min)
  /// The latest possible moment.
  public static let distantFuture = Instant(microseconds: .max)
  /// 1970-01-01T00:00:00Z.
  public static let epoch = Instant(microseconds: 0)
}
