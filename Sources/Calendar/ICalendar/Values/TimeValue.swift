public import FencepostCalendarModel
import FencepostRecurrence

/// A value that its property does not allow.
struct InvalidValue: Error {
  /// The problem.
  var message: String
}

/// DATE, DATE-TIME, PERIOD and UTC-OFFSET values (RFC 5545, section 3.3).
enum TimeValue {
  /// Reads the DATE or DATE-TIME in `range` of `bytes`. `zone` applies if it is neither a date nor in UTC.
  /// Ignores surrounding blanks.
  static func read(_ bytes: [UInt8], _ range: Range<Int>, zone: TimeZoneID?) throws(InvalidValue)
    -> CalendarTime
  {
    try reading(bytes, range, zone: zone).time
  }

  /// As ``read(_:_:zone:)``, and whether the value breaks RFC 5545's grammar, so that it must not be written
  /// again.
  static func reading(_ bytes: [UInt8], _ range: Range<Int>, zone: TimeZoneID?) throws(InvalidValue)
    -> (time: CalendarTime, isRepaired: Bool)
  {
    let range = ContentLine.trimmed(bytes, range)
    var isRepaired = false
    var read = CalendarTime(basicBytes: bytes[range])
    if read == nil {
      read = CalendarTime(repairing: String(decoding: bytes[range].prefix(50), as: UTF8.self))
      isRepaired = true
    }
    guard let time = read else {
      let text = String(decoding: bytes[range].prefix(40), as: UTF8.self)
      throw InvalidValue(message: "'\(text)' is not a valid date or time")
    }
    if case .floating(let civil) = time, let zone { return (.zoned(civil, zone), isRepaired) }
    return (time, isRepaired)
  }

  /// Reads the PERIOD in `range` of `bytes`. A duration is added on the wall clock.
  static func readPeriod(_ bytes: [UInt8], _ range: Range<Int>, zone: TimeZoneID?) throws(InvalidValue)
    -> (time: Recurrence.AdditionalOccurrence, isRepaired: Bool)
  {
    guard let slash = bytes[range].firstIndex(of: UInt8(ascii: "/")) else {
      let start = try reading(bytes, range, zone: zone)
      return (.init(start: start.time), start.isRepaired)
    }
    let start = try reading(bytes, range.lowerBound..<slash, zone: zone)
    let rest = ContentLine.trimmed(bytes, slash + 1..<range.upperBound)
    if let first = bytes[rest].first, first == UInt8(ascii: "P") || first == UInt8(ascii: "+") {
      let text = String(decoding: bytes[rest], as: UTF8.self)
      guard let duration = CalendarDuration(repairing: text) else {
        throw InvalidValue(message: "'\(text.prefix(40))' is not a valid duration")
      }
      let end = start.time.advanced(by: duration)
      guard (1...9999).contains(end.day.components.year) else {
        throw InvalidValue(message: "the period would not end in the years 1 to 9999")
      }
      let isRepaired = start.isRepaired || CalendarDuration(text: text) == nil
      return (.init(start: start.time, end: end), isRepaired)
    }
    let end = try reading(bytes, rest, zone: zone)
    return (.init(start: start.time, end: end.time), start.isRepaired || end.isRepaired)
  }

  /// The instant of a stamp, which must be in UTC. Programs that omit the Z mean UTC too, unless they name a
  /// zone.
  static func instant(_ line: ContentLine) throws(InvalidValue) -> (time: Instant, isRepaired: Bool) {
    let (time, isRepaired) = try reading(line.bytes, line.valueRange, zone: line.timeZone)
    let resolver = TimeResolver()
    if case .zoned = time, resolver.isKnown(time) { return (resolver.instant(of: time), isRepaired) }
    return (Instant(seconds: time.civil.secondsSinceEpoch), isRepaired)
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

  /// The text of `time`, without its zone. RFC 5545 only has the years 0 to 9999; other years become the
  /// nearest of these.
  static func text(_ time: CalendarTime) -> String {
    let first = CivilDateTime(year: 0, month: 1, day: 1)
    let last = CivilDateTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59)
    return time.with(civil: min(max(time.civil, first), last)).basicText
  }

  /// `YYYYMMDD`.
  static func text(_ day: CivilDay) -> String { text(CalendarTime.date(day)) }

  /// `YYYYMMDDTHHMMSSZ`, without fractions of a second.
  static func text(_ instant: Instant) -> String { text(CalendarTime(instant)) }

  /// `HHMMSS`.
  static func clock(_ second: Int) -> Substring {
    // The leading digit keeps the zeros.
    String(1_000_000 + second / 3600 * 10_000 + second / 60 % 60 * 100 + second % 60).dropFirst()
  }

  /// `+HHMM`, or `+HHMMSS` with seconds.
  static func text(offset: Int) -> String {
    let seconds = abs(offset)
    let digits = clock(seconds)
    return (offset < 0 ? "-" : "+") + (seconds % 60 == 0 ? digits.dropLast(2) : digits)
  }
}

extension CalendarTime {
  /// This time plus `duration`: its days on the wall clock, then its exact seconds.
  ///
  /// The system may not know the zone, because the file defines it further down. Then the seconds are on the
  /// wall clock too. A whole day moves by whole days.
  public func advanced(by duration: CalendarDuration) -> CalendarTime {
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
