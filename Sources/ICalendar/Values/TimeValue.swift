import CalendarModel
import Recurrence

/// A value that is not what its property asks for.
struct BrokenValue: Error {
  /// What is wrong with it.
  var message: String
}

/// DATE, DATE-TIME, PERIOD and UTC-OFFSET values (RFC 5545, section 3.3).
enum TimeValue {
  /// The DATE or DATE-TIME in `range` of `bytes`, in `zone` where it is neither a date nor in UTC.
  static func read(_ bytes: [UInt8], _ range: Range<Int>, zone: TimeZoneID?) throws(BrokenValue)
    -> CalendarTime
  {
    guard range.count <= 17, let (time, isDate, isUTC) = parse(bytes[range]) else {
      let text = String(decoding: bytes[range].prefix(40), as: UTF8.self)
      throw BrokenValue(message: "'\(text)' is no date or time")
    }
    if isDate { return .date(time.day) }
    if isUTC { return .utc(time) }
    return zone.map { .zoned(time, $0) } ?? .floating(time)
  }

  /// The PERIOD in `range` of `bytes`; what ends by a duration is moved on by it on the wall clock.
  static func readPeriod(_ bytes: [UInt8], _ range: Range<Int>, zone: TimeZoneID?) throws(BrokenValue)
    -> Recurrence.AdditionalOccurrence
  {
    guard let slash = bytes[range].firstIndex(of: UInt8(ascii: "/")) else {
      return .init(start: try read(bytes, range, zone: zone))
    }
    let start = try read(bytes, range.lowerBound..<slash, zone: zone)
    let rest = slash + 1..<range.upperBound
    if let first = bytes[rest].first, first == UInt8(ascii: "P") || first == UInt8(ascii: "+") {
      let text = String(decoding: bytes[rest], as: UTF8.self)
      guard let duration = CalendarDuration(text: text) else {
        throw BrokenValue(message: "'\(text.prefix(40))' is no duration")
      }
      return .init(start: start, end: start.advanced(by: duration))
    }
    return .init(start: start, end: try read(bytes, rest, zone: zone))
  }

  /// Seconds east of UTC that `text`, such as `+0100` or `-003044`, tells.
  static func offset(_ text: String) throws(BrokenValue) -> Int {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    guard text.utf8.count - digits.count == 1, digits.count == 4 || digits.count == 6,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let value = Int(String(decoding: digits, as: UTF8.self))
    else { throw BrokenValue(message: "'\(text.prefix(40))' is no offset from UTC") }
    let hms = digits.count == 4 ? value * 100 : value
    let (hours, minutes, seconds) = (hms / 10_000, hms / 100 % 100, hms % 100)
    guard hours < 24, minutes < 60, seconds < 60 else {
      throw BrokenValue(message: "'\(text)' is no offset that a zone can have")
    }
    let magnitude = hours * 3600 + minutes * 60 + seconds
    return text.utf8.first == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  /// The text of `time`, without its zone. RFC 5545 can tell the years 0 to 9999; others are told as the
  /// nearest of these.
  static func text(_ time: CalendarTime) -> String {
    let first = CivilDateTime(year: 0, month: 1, day: 1)
    let last = CivilDateTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59)
    return time.with(civil: min(max(time.civil, first), last)).basicText
  }

  /// `YYYYMMDD`.
  static func text(_ day: CivilDay) -> String { text(CalendarTime.date(day)) }

  /// `YYYYMMDDTHHMMSSZ`, fractions of a second dropped.
  static func text(_ instant: Instant) -> String { text(CalendarTime(instant)) }

  /// `+HHMM`, or `+HHMMSS` where there are seconds.
  static func text(offset: Int) -> String {
    let seconds = abs(offset)
    // A leading one keeps the zeros.
    let hms = 1_000_000 + seconds / 3600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60
    let digits = String(hms).dropFirst()
    return (offset < 0 ? "-" : "+") + (seconds % 60 == 0 ? digits.dropLast(2) : digits)
  }

  /// libical reads what this lets through: it would take `2024-01-08` and `+0240108` too.
  private static func parse(_ text: ArraySlice<UInt8>) -> (CivilDateTime, isDate: Bool, isUTC: Bool)? {
    let isPlausible = text.enumerated().allSatisfy { index, byte in
      switch index {
      case 8: byte == UInt8(ascii: "T")
      case 15: byte == UInt8(ascii: "Z")
      default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
    }
    guard isPlausible, [8, 15, 16].contains(text.count) else { return nil }
    // The longest is 16 bytes, and a list's value is not followed by a zero byte.
    let terminated: [CChar] = text.map { CChar(bitPattern: $0) } + [0]
    guard
      let (time, isDate, isUTC) = terminated.withUnsafeBufferPointer({ buffer in
        buffer.baseAddress.flatMap(Libical.time)
      })
    else { return nil }
    return (time, isDate, isUTC)
  }
}

extension CalendarTime {
  /// This time moved by `duration`: by its days on the wall clock, then by its exact seconds.
  ///
  /// In a zone that the system does not know, which a file may define further down, the seconds are those of
  /// the wall clock too. A whole day moves by whole days.
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
