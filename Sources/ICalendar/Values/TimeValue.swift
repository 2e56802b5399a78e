import CalendarModel

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

  /// The text of `time`, without its zone: `YYYYMMDD`, or `YYYYMMDDTHHMMSS` with a Z for UTC.
  static func text(_ time: CalendarTime) -> String {
    switch time {
    case .date(let day): text(day)
    case .floating(let civil), .zoned(let civil, _): text(civil)
    case .utc(let civil): text(civil) + "Z"
    }
  }

  /// `YYYYMMDDTHHMMSS`.
  static func text(_ time: CivilDateTime) -> String {
    "\(text(time.day))T\(pad(time.hour, 2))\(pad(time.minute, 2))\(pad(time.second, 2))"
  }

  /// `YYYYMMDD`. RFC 5545 can tell the years 0 to 9999; others are told as the nearest of these.
  static func text(_ day: CivilDay) -> String {
    let (year, month, date) = day.components
    if year < 0 { return "00000101" }
    if year > 9999 { return "99991231" }
    return pad(year, 4) + pad(month, 2) + pad(date, 2)
  }

  /// `YYYYMMDDTHHMMSSZ`, fractions of a second dropped.
  static func text(_ instant: Instant) -> String { text(CalendarTime(instant)) }

  /// `+HHMM`, or `+HHMMSS` where there are seconds.
  static func text(offset: Int) -> String {
    let seconds = abs(offset)
    let text = (offset < 0 ? "-" : "+") + pad(seconds / 3600, 2) + pad(seconds / 60 % 60, 2)
    return seconds % 60 == 0 ? text : text + pad(seconds % 60, 2)
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

  private static func pad(_ value: Int, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

extension CalendarTime {
  /// This time moved by `duration` on the wall clock.
  ///
  /// RFC 5545 wants the hours of a duration to be exact; across a change of the zone's offset this is off by
  /// that change. A whole day moves by whole days.
  func advanced(by duration: CalendarDuration) -> CalendarTime {
    let limit = 4_000_000
    let days = max(-limit, min(limit, duration.days))
    let seconds = max(-limit * 86_400, min(limit * 86_400, duration.seconds))
    return with(
      civil: CivilDateTime(day: civil.day.adding(days: days), secondOfDay: civil.secondOfDay + seconds))
  }
}
