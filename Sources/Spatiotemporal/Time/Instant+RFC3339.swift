// Times as RFC 3339 writes them, read from bytes and written to text.

extension Instant {
  /// A time as RFC 3339, section 5.6, writes it: the moment, and the offset from UTC that stood beside it.
  ///
  /// What is read is a little wider than the RFC, because traces are: `T`, `t` or a space between date and
  /// time; seconds may be missing; a fraction of any length after `.` or `,` (the microsecond is kept, what
  /// is below it is dropped); the zone as `Z`, `z`, `±hh:mm`, `±hhmm`, `±hh` or none, with a space before it
  /// or not. A leap second (`:60`) is the first second of the next minute, as in POSIX time.
  public struct RFC3339: Hashable, Sendable {
    /// The moment; where no offset was written, the moment that it would be in UTC.
    public var instant: Instant
    /// Seconds east of UTC, as written; `nil` where no zone was written.
    public var utcOffset: Int?

    /// Reads all of `utf8`; `nil` where that is no such time or no such day. Allocates nothing.
    public init?(utf8 bytes: Span<UInt8>) {
      var scanner = DigitScanner(position: 0)
      guard let year = scanner.digits(4, in: bytes), scanner.skip(0x2D, in: bytes),
        let month = scanner.digits(2, in: bytes), scanner.skip(0x2D, in: bytes),
        let day = scanner.digits(2, in: bytes),
        let civilDay = CivilDay(validYear: year, month: month, day: day),
        scanner.skip(0x54, in: bytes) || scanner.skip(0x74, in: bytes) || scanner.skip(0x20, in: bytes),
        let time = scanner.timeOfDay(in: bytes), let offset = scanner.offset(in: bytes),
        scanner.position == bytes.count
      else { return nil }
      utcOffset = offset.seconds
      let seconds = Int64(civilDay.dayNumber) * 86_400 - Int64(offset.seconds ?? 0)
      instant = Instant(microseconds: seconds * 1_000_000 + time)
    }

    /// Reads all of `text`; `nil` where that is no such time or no such day.
    public init?(_ text: String) {
      self.init(utf8: text.utf8.span)
    }
  }

  /// The moment that `text` names with date, time and zone; `nil` where one of them is missing or wrong.
  public init?(rfc3339 text: String) {
    guard let read = RFC3339(text), read.utcOffset != nil else { return nil }
    self = read.instant
  }

  /// Microseconds since midnight of a time of day, `hh:mm[:ss[.fraction]]`; `nil` where `bytes` is none.
  ///
  /// For traces that keep date and time in two columns. A leap second gives the first of the next minute.
  public static func microsecondsOfDay(utf8 bytes: Span<UInt8>) -> Int64? {
    var scanner = DigitScanner(position: 0)
    guard let time = scanner.timeOfDay(in: bytes), scanner.position == bytes.count else { return nil }
    return time
  }

  /// This moment as RFC 3339 writes it, on a clock that is `utcOffset` seconds east of UTC: with `Z` where
  /// that is 0, with no fraction, three digits or six as the moment needs.
  ///
  /// RFC 3339 has no seconds in an offset: one that has them (local mean times of the 19th century) is
  /// cut to the minute, and the clock reading with it, so that the text still names this moment. Years
  /// outside 0 to 9999 are written with their sign or more digits, which no RFC 3339 reader takes.
  public func rfc3339(utcOffset: Int = 0) -> String {
    let minutes = min(max(utcOffset / 60, -1439), 1439)
    let reading = CivilDateTime(secondsSinceEpoch: wholeSeconds + Int64(minutes * 60))
    let zone =
      minutes == 0
      ? "Z" : "\(minutes < 0 ? "-" : "+")\(padded(abs(minutes) / 60, 2)):\(padded(abs(minutes) % 60, 2))"
    return "\(reading)\(fraction)\(zone)"
  }

  /// The part of a second as `.` and three or six digits, or nothing.
  private var fraction: String {
    let remainder = Int(microseconds % 1_000_000)
    let part = remainder < 0 ? remainder + 1_000_000 : remainder
    if part == 0 { return "" }
    return part % 1000 == 0 ? ".\(padded(part / 1000, 3))" : ".\(padded(part, 6))"
  }
}

/// The zone beside a time; its seconds east of UTC are `nil` where none is written.
private struct Zone {
  var seconds: Int?
}

/// Walks over the digits of a time.
private struct DigitScanner {
  /// The index of the next byte.
  var position: Int

  /// Passes over `byte`; false, and in place, where another stands there.
  @inline(__always)
  mutating func skip(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// The number that the next `count` bytes write; `nil` where one of them is no digit.
  @inline(__always)
  mutating func digits(_ count: Int, in bytes: Span<UInt8>) -> Int? {
    guard bytes.count - position >= count else { return nil }
    var value = 0
    for index in position..<position + count {
      let digit = bytes[index] &- 0x30
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    position += count
    return value
  }

  /// Microseconds since midnight: `hh:mm[:ss[.fraction]]`.
  @inline(__always)
  mutating func timeOfDay(in bytes: Span<UInt8>) -> Int64? {
    guard let hour = digits(2, in: bytes), hour < 24, skip(0x3A, in: bytes),
      let minute = digits(2, in: bytes), minute < 60
    else { return nil }
    var second = 0
    var micros = 0
    if skip(0x3A, in: bytes) {
      guard let read = digits(2, in: bytes), read <= 60 else { return nil }
      second = read
      if skip(0x2E, in: bytes) || skip(0x2C, in: bytes) {
        guard let read = fraction(in: bytes) else { return nil }
        micros = read
      }
    }
    return Int64(hour * 3600 + minute * 60 + second) * 1_000_000 + Int64(micros)
  }

  /// The microseconds of a fraction's digits; `nil` where there is no digit.
  private mutating func fraction(in bytes: Span<UInt8>) -> Int? {
    let start = position
    var value = 0
    var scale = 100_000
    while position < bytes.count, bytes[position] &- 0x30 < 10 {
      value += Int(bytes[position] &- 0x30) * scale
      scale /= 10
      position += 1
    }
    return position > start ? value : nil
  }

  /// The zone that is written next, none included; `nil` where it is wrong.
  @inline(__always)
  mutating func offset(in bytes: Span<UInt8>) -> Zone? {
    if position == bytes.count { return Zone(seconds: nil) }
    if skip(0x5A, in: bytes) || skip(0x7A, in: bytes) { return Zone(seconds: 0) }
    return numericOffset(in: bytes)
  }

  private mutating func numericOffset(in bytes: Span<UInt8>) -> Zone? {
    if skip(0x20, in: bytes), skip(0x5A, in: bytes) { return Zone(seconds: 0) }
    let isWest = skip(0x2D, in: bytes)
    guard isWest || skip(0x2B, in: bytes), let hours = digits(2, in: bytes), hours < 24 else { return nil }
    var minutes = 0
    if position < bytes.count {
      _ = skip(0x3A, in: bytes)
      guard let read = digits(2, in: bytes), read < 60 else { return nil }
      minutes = read
    }
    let seconds = hours * 3600 + minutes * 60
    return Zone(seconds: isWest ? -seconds : seconds)
  }
}
