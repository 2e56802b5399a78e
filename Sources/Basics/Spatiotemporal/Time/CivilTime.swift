/// A wall-clock reading without a zone: a day and the second of the day.
public struct CivilDateTime: Hashable, Sendable, Comparable {
  /// The day.
  public var day: CivilDay
  /// Seconds since that day's midnight on the wall clock, 0 to 86,399.
  public var secondOfDay: Int

  /// A reading of `secondOfDay` on `day`. Seconds out of range carry over into other days.
  @inlinable
  public init(day: CivilDay, secondOfDay: Int) {
    var days = secondOfDay / 86_400
    var second = secondOfDay % 86_400
    if second < 0 {
      second += 86_400
      days -= 1
    }
    self.day = day.adding(days: days)
    self.secondOfDay = second
  }

  /// A reading from its parts. Parts out of range carry over.
  @inlinable
  public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.init(
      day: CivilDay(year: year, month: month, day: day), secondOfDay: hour * 3600 + minute * 60 + second)
  }

  /// The reading `seconds` after 1970-01-01T00:00:00 on a clock without zone changes.
  @inlinable
  public init(secondsSinceEpoch seconds: Int64) {
    self.init(day: CivilDay(dayNumber: 0), secondOfDay: Int(seconds))
  }

  /// Seconds from 1970-01-01T00:00:00 to this reading, on a clock without zone changes.
  @inlinable
  public var secondsSinceEpoch: Int64 { Int64(day.dayNumber) * 86_400 + Int64(secondOfDay) }

  /// The hour, 0 to 23.
  @inlinable public var hour: Int { secondOfDay / 3600 }
  /// The minute, 0 to 59.
  @inlinable public var minute: Int { secondOfDay / 60 % 60 }
  /// The second, 0 to 59.
  @inlinable public var second: Int { secondOfDay % 60 }

  /// This reading moved by `seconds` of the wall clock.
  @inlinable
  public func adding(seconds: Int64) -> CivilDateTime {
    CivilDateTime(secondsSinceEpoch: secondsSinceEpoch + seconds)
  }

  /// The earlier reading first.
  @inlinable
  public static func < (a: CivilDateTime, b: CivilDateTime) -> Bool {
    (a.day.dayNumber, a.secondOfDay) < (b.day.dayNumber, b.secondOfDay)
  }
}

extension CivilDateTime: CustomStringConvertible {
  /// `YYYY-MM-DDTHH:MM:SS`.
  public var description: String {
    let (year, month, day) = day.components
    guard (0...9999).contains(year) else {
      return "\(self.day)T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
    }
    // Written a hundred thousand times: one string, built in place.
    return String(unsafeUninitializedCapacity: 19) { text in
      text.put(year: year, month: month, day: day)
      text[10] = UInt8(ascii: "T")
      text.put(clockOf: self, at: 11)
      return 19
    }
  }

  /// `HH:MM:SS`.
  public var clock: String {
    String(unsafeUninitializedCapacity: 8) { text in
      text.put(clockOf: self, at: 0)
      return 8
    }
  }

  /// `HH:MM`.
  public var hourAndMinute: String { String(clock.prefix(5)) }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes a number of two digits.
  func put(_ number: Int, at index: Int) {
    self[index] = UInt8(truncatingIfNeeded: 0x30 + number / 10 % 10)
    self[index + 1] = UInt8(truncatingIfNeeded: 0x30 + number % 10)
  }

  /// Writes `YYYY-MM-DD` at the beginning; the year has up to four digits.
  func put(year: Int, month: Int, day: Int) {
    put(year / 100, at: 0)
    put(year % 100, at: 2)
    self[4] = UInt8(ascii: "-")
    put(month, at: 5)
    self[7] = UInt8(ascii: "-")
    put(day, at: 8)
  }

  /// Writes `HH:MM:SS`.
  func put(clockOf time: CivilDateTime, at index: Int) {
    put(time.hour, at: index)
    self[index + 2] = UInt8(ascii: ":")
    put(time.minute, at: index + 3)
    self[index + 5] = UInt8(ascii: ":")
    put(time.second, at: index + 6)
  }
}

/// A day of the proleptic Gregorian calendar, as the number of days since 1970-01-01.
///
/// Days are integers, so that recurrence is arithmetic. The conversions are by E. G. Richards and P. Baum,
/// with years that begin in March. They are correct for the years ±5,000,000.
public struct CivilDay: Hashable, Sendable, Comparable {
  /// Days since 1970-01-01; negative before it.
  public var dayNumber: Int

  /// The day `dayNumber` days after 1970-01-01.
  @inlinable
  public init(dayNumber: Int) { self.dayNumber = dayNumber }

  /// The day of `year`, `month` and `day`. A day or month out of range carries over (31 February is 3 March,
  /// or 2 March in a leap year).
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

/// A day of the week, numbered as in EventKit's `EKWeekday`: Sunday is 1.
public enum Weekday: Int, Hashable, Sendable, CaseIterable {
  case sunday = 1, monday, tuesday, wednesday, thursday, friday, saturday

  /// RFC 5545's two letters, such as `MO`.
  public var abbreviation: String {
    switch self {
    case .sunday: "SU"
    case .monday: "MO"
    case .tuesday: "TU"
    case .wednesday: "WE"
    case .thursday: "TH"
    case .friday: "FR"
    case .saturday: "SA"
    }
  }

  /// The day for RFC 5545's two letters, in either case; `nil` for anything else.
  public init?(abbreviation: some StringProtocol) {
    // Nearly all are in capitals, so look before converting.
    guard
      let day = Weekday.allCases.first(where: { $0.abbreviation == abbreviation })
        ?? Weekday.allCases.first(where: { $0.abbreviation == abbreviation.uppercased() })
    else { return nil }
    self = day
  }

  /// The number of days from `other` to this one, 0 to 6.
  @inlinable
  public func days(after other: Weekday) -> Int { (rawValue - other.rawValue + 7) % 7 }
}

/// The name of a time zone: an IANA name such as `Europe/Berlin`, or the TZID of a VTIMEZONE in a file.
public struct TimeZoneID: RawRepresentable, Hashable, Sendable {
  /// The name as written.
  public var rawValue: String

  /// The zone named `rawValue`. The Recurrence room knows if it exists.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Coordinated Universal Time.
  public static let utc = TimeZoneID(rawValue: "UTC")
}
