import CalendarModel
import Recurrence

/// A value that its property does not allow.
struct InvalidValue: Error {
  /// The problem.
  var message: String
}

/// DATE, DATE-TIME, PERIOD and UTC-OFFSET values (RFC 5545, section 3.3).
enum TimeValue {
  /// Reads the DATE or DATE-TIME in `range` of `bytes`. `zone` applies if it is neither a date nor in UTC. Ignores
  /// surrounding blanks.
  static func read(_ bytes: [UInt8], _ range: Range<Int>, zone: TimeZoneID?) throws(InvalidValue)
    -> CalendarTime
  {
    let range = ContentLine.trimmed(bytes, range)
    guard range.count <= 17, let (time, isDate, isUTC) = parse(bytes[range]) else {
      let text = String(decoding: bytes[range].prefix(40), as: UTF8.self)
      throw InvalidValue(message: "'\(text)' is not a valid date or time")
    }
    if isDate { return .date(time.day) }
    if isUTC { return .utc(time) }
    return zone.map { .zoned(time, $0) } ?? .floating(time)
  }

  /// Reads the PERIOD in `range` of `bytes`. A duration is added on the wall clock.
  static func readPeriod(_ bytes: [UInt8], _ range: Range<Int>, zone: TimeZoneID?) throws(InvalidValue)
    -> Recurrence.AdditionalOccurrence
  {
    guard let slash = bytes[range].firstIndex(of: UInt8(ascii: "/")) else {
      return .init(start: try read(bytes, range, zone: zone))
    }
    let start = try read(bytes, range.lowerBound..<slash, zone: zone)
    let rest = ContentLine.trimmed(bytes, slash + 1..<range.upperBound)
    if let first = bytes[rest].first, first == UInt8(ascii: "P") || first == UInt8(ascii: "+") {
      let text = String(decoding: bytes[rest], as: UTF8.self)
      guard let duration = CalendarDuration(text: text) else {
        throw InvalidValue(message: "'\(text.prefix(40))' is not a valid duration")
      }
      return .init(start: start, end: start.advanced(by: duration))
    }
    return .init(start: start, end: try read(bytes, rest, zone: zone))
  }

  /// The seconds east of UTC in `text`, for example `+0100` or `-003044`.
  static func offset(_ text: String) throws(InvalidValue) -> Int {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    guard text.utf8.count - digits.count == 1, digits.count == 4 || digits.count == 6,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let value = Int(String(decoding: digits, as: UTF8.self))
    else { throw InvalidValue(message: "'\(text.prefix(40))' is not a valid offset from UTC") }
    let hms = digits.count == 4 ? value * 100 : value
    let (hours, minutes, seconds) = (hms / 10_000, hms / 100 % 100, hms % 100)
    guard hours < 24, minutes < 60, seconds < 60 else {
      throw InvalidValue(message: "'\(text)' is out of range for an offset from UTC")
    }
    let magnitude = hours * 3600 + minutes * 60 + seconds
    return text.utf8.first == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  /// The text of `time`, without its zone. RFC 5545 only has the years 0 to 9999; other years become the nearest of
  /// these.
  static func text(_ time: CalendarTime) -> String {
    let first = CivilDateTime(year: 0, month: 1, day: 1)
    let last = CivilDateTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59)
    return time.with(civil: min(max(time.civil, first), last)).basicText
  }

  /// `YYYYMMDD`.
  static func text(_ day: CivilDay) -> String { text(CalendarTime.date(day)) }

  /// `YYYYMMDDTHHMMSSZ`, without fractions of a second.
  static func text(_ instant: Instant) -> String { text(CalendarTime(instant)) }

  /// `+HHMM`, or `+HHMMSS` with seconds.
  static func text(offset: Int) -> String {
    let seconds = abs(offset)
    // The leading digit keeps the zeros.
    let hms = 1_000_000 + seconds / 3600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60
    let digits = String(hms).dropFirst()
    return (offset < 0 ? "-" : "+") + (seconds % 60 == 0 ? digits.dropLast(2) : digits)
  }

  /// A DATE or DATE-TIME (RFC 5545, sections 3.3.4 and 3.3.5); `nil` for other text or an invalid day or hour. A leap
  /// second becomes the one before.
  private static func parse(_ text: ArraySlice<UInt8>) -> (CivilDateTime, isDate: Bool, isUTC: Bool)? {
    func number(_ place: Range<Int>) -> Int? {
      var number = 0
      for byte in text[text.startIndex + place.lowerBound..<text.startIndex + place.upperBound] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return number
    }
    guard [8, 15, 16].contains(text.count), let year = number(0..<4), let month = number(4..<6),
      let day = number(6..<8), let day = CivilDay(validYear: year, month: month, day: day)
    else { return nil }
    guard text.count > 8 else { return (CivilDateTime(day: day, secondOfDay: 0), true, false) }
    guard text[text.startIndex + 8] == UInt8(ascii: "T"), let hour = number(9..<11), hour < 24,
      let minute = number(11..<13), minute < 60, let second = number(13..<15), second <= 60
    else { return nil }
    let isUTC = text.count == 16
    guard !isUTC || text.last == UInt8(ascii: "Z") else { return nil }
    let secondOfDay = hour * 3_600 + minute * 60 + min(second, 59)
    return (CivilDateTime(day: day, secondOfDay: secondOfDay), false, isUTC)
  }
}

extension CalendarTime {
  /// This time plus `duration`: its days on the wall clock, then its exact seconds.
  ///
  /// The system may not know the zone, because the file defines it further down. Then the seconds are on the wall clock
  /// too. A whole day moves by whole days.
  func advanced(by duration: CalendarDuration) -> CalendarTime {
    let limit = 4_000_000
    let days = max(-limit, min(limit, duration.days))
    let seconds = max(-limit * 86_400, min(limit * 86_400, duration.seconds))
    let day = with(civil: CivilDateTime(day: civil.day.adding(days: days), secondOfDay: civil.secondOfDay))
    if case .zoned = self, seconds != 0 {
      let resolver = TimeResolver()
      if resolver.isKnown(day) {
        return resolver.time(resolver.instant(of: day).adding(seconds: Double(seconds)), like: day)
      }
    }
    return with(civil: day.civil.adding(seconds: Int64(seconds)))
  }
}
