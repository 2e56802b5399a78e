/// A moment, in whole microseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX time).
///
/// An integer, unlike `Date`'s floating point: a moment must have the same bits in a trace, in the store and
/// in a firing's key. And the fast path from bytes to fixes must do its arithmetic within this module.
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

  /// The moment `secondsSince1970` after the epoch, rounded to the microsecond; `nil` if the number is not
  /// finite or is beyond ±292,000 years.
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

// RFC 3339 times, read from bytes and written to text.

extension Instant {
  /// A time of RFC 3339, section 5.6: the moment, and its offset from UTC.
  ///
  /// Reading is a little more lenient than the RFC, because traces are: `T`, `t` or a space between date and
  /// time; seconds are optional; a fraction of any length after `.` or `,` (truncated to microseconds); the
  /// zone as `Z`, `z`, `±hh:mm`, `±hhmm`, `±hh` or missing, with an optional space before it. A leap second
  /// (`:60`) is the first second of the next minute, as in POSIX time.
  public struct RFC3339: Hashable, Sendable {
    /// The moment; in UTC if there is no offset.
    public var instant: Instant
    /// Seconds east of UTC, as written; `nil` without a zone.
    public var utcOffset: Int?

    /// Parses all of `utf8`; `nil` if it is not a valid time. Allocates nothing.
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

    /// Parses all of `text`; `nil` if it is not a valid time.
    public init?(_ text: String) {
      self.init(utf8: text.utf8.span)
    }
  }

  /// The moment in `text`, which must have date, time and zone; `nil` if one of them is missing or wrong.
  public init?(rfc3339 text: String) {
    guard let read = RFC3339(text), read.utcOffset != nil else { return nil }
    self = read.instant
  }

  /// Microseconds since midnight for a time of day, `hh:mm[:ss[.fraction]]`; `nil` if `bytes` is not one.
  ///
  /// For traces with date and time in two columns. A leap second is the first second of the next minute.
  public static func microsecondsOfDay(utf8 bytes: Span<UInt8>) -> Int64? {
    var scanner = DigitScanner(position: 0)
    guard let time = scanner.timeOfDay(in: bytes), scanner.position == bytes.count else { return nil }
    return time
  }

  /// This moment in RFC 3339, on a clock that is `utcOffset` seconds east of UTC. An offset of 0 is `Z`. The
  /// fraction has no, three or six digits, as needed.
  ///
  /// RFC 3339 has no seconds in an offset. If `utcOffset` has them (local mean times of the 19th century),
  /// the text uses whole minutes for the offset and the clock reading, and still names this moment. Years
  /// outside 0 to 9999 get a sign or more digits, which RFC 3339 readers reject.
  public func rfc3339(utcOffset: Int = 0) -> String {
    let minutes = min(max(utcOffset / 60, -1439), 1439)
    let reading = CivilDateTime(secondsSinceEpoch: wholeSeconds + Int64(minutes * 60))
    let (year, month, day) = reading.day.components
    // With the most digits: 2026-05-01T08:30:00.000001+02:00.
    let end = String(unsafeUninitializedCapacity: 32) { text in
      text.put(year: year, month: month, day: day)
      text[10] = UInt8(ascii: "T")
      text.put(clockOf: reading, at: 11)
      var count = 19
      text.put(fraction: microsecondsOfSecond, at: &count)
      text.put(zone: minutes, at: &count)
      return count
    }
    return (0...9999).contains(year) ? end : "\(reading.day)\(end.dropFirst(10))"
  }

  /// The microseconds since the whole second, 0 to 999,999.
  private var microsecondsOfSecond: Int {
    let remainder = Int(microseconds % 1_000_000)
    return remainder < 0 ? remainder + 1_000_000 : remainder
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes a fraction of a second as `.` and three or six digits, or nothing.
  fileprivate func put(fraction microseconds: Int, at index: inout Int) {
    if microseconds == 0 { return }
    self[index] = UInt8(ascii: ".")
    let isWhole = microseconds % 1000 == 0
    let digits = isWhole ? 3 : 6
    var rest = isWhole ? microseconds / 1000 : microseconds
    for place in stride(from: index + digits, to: index, by: -1) {
      self[place] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
      rest /= 10
    }
    index += 1 + digits
  }

  /// Writes `Z`, or `±HH:MM`.
  fileprivate func put(zone minutes: Int, at index: inout Int) {
    guard minutes != 0 else {
      self[index] = UInt8(ascii: "Z")
      return index += 1
    }
    self[index] = UInt8(ascii: minutes < 0 ? "-" : "+")
    put(abs(minutes) / 60, at: index + 1)
    self[index + 3] = UInt8(ascii: ":")
    put(abs(minutes) % 60, at: index + 4)
    index += 6
  }
}

/// The zone of a time; its seconds east of UTC are `nil` if none is written.
private struct Zone {
  var seconds: Int?
}

/// Reads the digits of a time.
private struct DigitScanner {
  /// The index of the next byte.
  var position: Int

  /// Skips `byte`; returns false, without moving, for another byte.
  @inline(__always)
  mutating func skip(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// The number in the next `count` bytes; `nil` if one of them is not a digit.
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

  /// The microseconds in the digits of a fraction; `nil` without a digit.
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

  /// The next zone, which may be missing; `nil` if it is wrong.
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
