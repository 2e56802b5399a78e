public import FencepostCalendarModel

/// A zone's rule in the format of POSIX TZ (IEEE Std 1003.1, section 8.3) with the extensions of RFC 8536
/// (section 3.3.1). It is the footer of a TZif file and applies after its last transition.
public struct POSIXTimeZone: Hashable, Sendable {
  /// A day of every year, in one of three forms.
  public enum YearDay: Hashable, Sendable {
    /// The `day`th day of a year of 365 days, without 29 February; 1 to 365.
    case julian(day: Int)
    /// The `day`th day of the year from zero, with 29 February; 0 to 365.
    case zeroBased(day: Int)
    /// The `week`th `weekday` of `month`. The fifth means the last.
    case weekday(month: Int, week: Int, weekday: Weekday)
  }

  /// A change of the clocks, in local time before the change.
  public struct Change: Hashable, Sendable {
    /// The day.
    public var day: YearDay
    /// Seconds from midnight of that day, -167 to 167 hours.
    public var seconds: Int
  }

  /// Daylight saving time.
  public struct Daylight: Hashable, Sendable {
    /// Its abbreviation, for example CEST.
    public var name: String
    /// Seconds east of UTC.
    public var offset: Int
    /// Its start.
    public var start: Change
    /// Its end.
    public var end: Change
  }

  /// The abbreviation of standard time, for example CET.
  public var name: String
  /// Seconds east of UTC in standard time.
  public var offset: Int
  /// Daylight saving time, if the zone has it.
  public var daylight: Daylight?
}

extension POSIXTimeZone {
  /// Reads a rule like `CET-1CEST,M3.5.0,M10.5.0/3`; `nil` for other text.
  public init?(text: some StringProtocol) {
    guard text.utf8.count <= 256 else { return nil }
    var reader = Reader(bytes: Array(text.utf8))
    guard let name = reader.name(), let west = reader.time(hours: 0...24) else { return nil }
    self.init(name: name, offset: -west, daylight: nil)
    if reader.isAtEnd { return }
    guard let daylightName = reader.name() else { return nil }
    var daylightOffset = offset + 3600
    if let next = reader.peek, next != UInt8(ascii: ",") {
      guard let west = reader.time(hours: 0...24) else { return nil }
      daylightOffset = -west
    }
    guard reader.skip(","), let start = reader.change(), reader.skip(","), let end = reader.change(),
      reader.isAtEnd
    else { return nil }
    daylight = Daylight(name: daylightName, offset: daylightOffset, start: start, end: end)
  }
}

extension POSIXTimeZone.Change {
  /// The local second, counted from 1970-01-01T00:00:00, of the change in `year`.
  func localSeconds(inYear year: Int) -> Int64 {
    let newYear = CivilDay(year: year, month: 1, day: 1)
    let date: CivilDay
    switch day {
    case .julian(let day):
      date = newYear.adding(days: day - 1 + (CivilDay.isLeap(year) && day >= 60 ? 1 : 0))
    case .zeroBased(let day):
      date = newYear.adding(days: day)
    case .weekday(let month, let week, let weekday):
      let first = CivilDay(year: year, month: month, day: 1)
      var ordinalDay = weekday.days(after: first.weekday) + (week - 1) * 7
      if ordinalDay >= CivilDay.daysInMonth(month, ofYear: year) { ordinalDay -= 7 }
      date = first.adding(days: ordinalDay)
    }
    return Int64(date.dayNumber) * 86_400 + Int64(seconds)
  }
}

/// Parses a rule byte by byte.
private struct Reader {
  let bytes: [UInt8]
  var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }
  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// Three or more letters, or letters, digits and signs between angle brackets.
  mutating func name() -> String? {
    let quoted = skip("<")
    let start = index
    while let byte = peek {
      let isLetter = (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
      let isOther =
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: "-")
      guard isLetter || (quoted && isOther) else { break }
      index += 1
    }
    guard index - start >= 3 else { return nil }
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    if quoted && !skip(">") { return nil }
    return name
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let start = index
    var value = 0
    while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), index - start < 4 {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      index += 1
    }
    return index > start && range.contains(value) ? value : nil
  }

  /// `[+-]hh[:mm[:ss]]` in seconds.
  mutating func time(hours: ClosedRange<Int>) -> Int? {
    let sign = skip("-") ? -1 : 1
    if sign == 1 { _ = skip("+") }
    guard let hour = number(hours) else { return nil }
    var seconds = hour * 3600
    if skip(":") {
      guard let minute = number(0...59) else { return nil }
      seconds += minute * 60
      if skip(":") {
        guard let second = number(0...59) else { return nil }
        seconds += second
      }
    }
    return sign * seconds
  }

  mutating func change() -> POSIXTimeZone.Change? {
    let day: POSIXTimeZone.YearDay
    if skip("M") {
      guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
        let number = number(0...6), let weekday = Weekday(rawValue: number + 1)
      else { return nil }
      day = .weekday(month: month, week: week, weekday: weekday)
    } else if skip("J") {
      guard let number = number(1...365) else { return nil }
      day = .julian(day: number)
    } else {
      guard let number = number(0...365) else { return nil }
      day = .zeroBased(day: number)
    }
    var seconds = 7200
    if skip("/") {
      guard let time = time(hours: 0...167) else { return nil }
      seconds = time
    }
    return POSIXTimeZone.Change(day: day, seconds: seconds)
  }
}
