import FencepostCalendarModel

/// Arithmetic on day numbers for the expansion of rules.
enum Gregorian {
  /// 0001-01-01.
  static let firstDay = CivilDay(year: 1, month: 1, day: 1).dayNumber
  /// 9999-12-31, the last day that RFC 5545 can express.
  static let lastDay = CivilDay(year: 9999, month: 12, day: 31).dayNumber
  /// The days in 400 years. The calendar repeats after them, including weekdays.
  static let cycleDays = 146_097

  /// The day of the week, Sunday 0.
  @inline(__always)
  static func weekday(_ day: Int) -> Int { floorMod(day &+ 4, 7) }

  @inline(__always)
  static func floorDiv(_ a: Int, _ b: Int) -> Int {
    let quotient = a / b
    return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient
  }

  @inline(__always)
  static func floorMod(_ a: Int, _ b: Int) -> Int {
    let remainder = a % b
    return remainder < 0 ? remainder + b : remainder
  }

  static func yearLength(_ year: Int) -> Int { CivilDay.isLeap(year) ? 366 : 365 }

  /// The first day of week 1 of `year`: the week from `weekStart` on with at least four days in the year, so it
  /// contains 4 January (RFC 5545, section 3.3.10, BYWEEKNO).
  static func firstWeek(of year: Int, weekStart: Int) -> Int {
    let fourth = CivilDay(year: year, month: 1, day: 4).dayNumber
    return fourth - floorMod(weekday(fourth) - weekStart, 7)
  }

  static func gcd(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
