/// A day of the proleptic Gregorian calendar, as the number of days since 1970-01-01.
///
/// Days are integers, so that recurrence is arithmetic. The conversions are by E. G. Richards and P. Baum, with years
/// that begin in March. They are correct for the years ±5,000,000.
public struct CivilDay: Hashable, Sendable, Comparable {
  /// Days since 1970-01-01; negative before it.
  public var dayNumber: Int

  /// The day `dayNumber` days after 1970-01-01.
  @inlinable
  public init(dayNumber: Int) { self.dayNumber = dayNumber }

  /// The day of `year`, `month` and `day`. A day or month out of range carries over (31 February is 3 March, or 2
  /// March in a leap year).
  @inlinable
  public init(year: Int, month: Int, day: Int) {
    let zeroBased = month - 1
    let carry = zeroBased >= 0 ? zeroBased / 12 : (zeroBased - 11) / 12
    let month = zeroBased - carry * 12 + 1
    let shifted = year + carry - (month <= 2 ? 1 : 0)
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    dayNumber = era * 146_097 + dayOfEra - 719_468
  }

  /// The day of `year`, `month` and `day`, or `nil` if there is no such day.
  @inlinable
  public init?(validYear year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= CivilDay.daysInMonth(month, ofYear: year) else {
      return nil
    }
    self.init(year: year, month: month, day: day)
  }

  /// The calendar date of this day.
  @inlinable
  public var components: (year: Int, month: Int, day: Int) {
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// The day of the week.
  @inlinable
  public var weekday: Weekday {
    // 1970-01-01 was a Thursday.
    let index = (dayNumber % 7 + 11) % 7
    return Weekday.allCases[index]
  }

  /// This day moved by `days`.
  @inlinable
  public func adding(days: Int) -> CivilDay { CivilDay(dayNumber: dayNumber + days) }

  /// The earlier day first.
  @inlinable
  public static func < (a: CivilDay, b: CivilDay) -> Bool { a.dayNumber < b.dayNumber }

  /// Whether `year` has a 29 February.
  @inlinable
  public static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The number of days of `month` (1 to 12) in `year`.
  @inlinable
  public static func daysInMonth(_ month: Int, ofYear year: Int) -> Int {
    month == 2 ? (isLeap(year) ? 29 : 28) : 30 + (month + month / 8) % 2
  }
}

extension CivilDay: CustomStringConvertible {
  /// `YYYY-MM-DD`.
  public var description: String {
    let (year, month, day) = components
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}

/// `value` in decimal with at least `digits` digits.
func padded(_ value: Int, _ digits: Int) -> String {
  let text = String(abs(value))
  let zeros = String(repeating: "0", count: max(0, digits - text.utf8.count))
  return (value < 0 ? "-" : "") + zeros + text
}
