import FencepostAlgorithms
internal import FencepostSpatiotemporal

/// Parses times as traces write them.
///
/// - RFC 3339, also without a zone, with slashes or points in the date, or with `UTC` or `GMT` after it. A
///   time without a zone counts as UTC.
/// - A number of seconds since 1970, with or without a fraction. A number of 12 or 13 digits is in
///   milliseconds, of 15 to 17 in microseconds, of more in nanoseconds. (Seconds have 12 digits from the year
///   5138 on; milliseconds had 11 until March 1973.)
/// - `yyyyMMddHHmmss`. (As milliseconds, 14 digits would be the year 2286 or later.)
enum TraceTime {
  /// The moment in `field`; `nil` if it is not a time. `scale` is the unit of a number in seconds; 0 means
  /// that its size shows the unit.
  static func moment(_ field: Span<UInt8>, scale: Double, decimalComma: Bool) -> Instant? {
    reading(field, scale: scale, decimalComma: decimalComma)?.instant
  }

  /// The moment in `field`, and whether it names its zone.
  static func reading(
    _ field: Span<UInt8>, scale: Double, decimalComma: Bool
  ) -> (instant: Instant, hasZone: Bool)? {
    let length = withoutZoneName(field)
    let text = field.extracting(0..<length)
    let namesZone = length < field.count
    if let read = Instant.RFC3339(utf8: text) { return (read.instant, namesZone || read.utcOffset != nil) }
    if scale == 0, isCompact(text) { return compact(text).map { ($0, namesZone) } }
    if let number = epochTime(text, scale: scale, decimalComma: decimalComma) { return (number, true) }
    guard let (day, end) = day(text), end < length, text[end] == ASCII.space || text[end] | 0x20 == 0x74
    else { return nil }
    return clock(text.extracting((end + 1)..<length)).map { (moment(day, $0), namesZone) }
  }

  /// Whether a time of day is marked as UTC.
  static func endsInZone(_ field: Span<UInt8>) -> Bool {
    withoutZoneName(field) < field.count || field.count > 0 && field[field.count - 1] | 0x20 == 0x7A
  }

  /// Whether `field` is a date and a time of day without separators.
  private static func isCompact(_ field: Span<UInt8>) -> Bool {
    field.count == 14 && ASCII.integer(field, 0..<14) != nil
  }

  private static func compact(_ field: Span<UInt8>) -> Instant? {
    guard let day = date(field.extracting(0..<8)), let time = timeOfDay(field.extracting(8..<14)) else {
      return nil
    }
    return moment(day, time)
  }

  /// A time of day; its hour may have one digit.
  private static func clock(_ field: Span<UInt8>) -> Int64? {
    guard field.count > 1, field[1] == 0x3A, ASCII.isDigit(field[0]) else {
      return Instant.microsecondsOfDay(utf8: field)
    }
    var padded: [UInt8] = [0x30]
    for index in 0..<min(field.count, 32) { padded.append(field[index]) }
    return Instant.microsecondsOfDay(utf8: padded.span)
  }

  /// The moment at `microseconds` after the midnight of `day`, UTC.
  static func moment(_ day: CivilDay, _ microseconds: Int64) -> Instant {
    Instant(microseconds: Int64(day.dayNumber) * 86_400_000_000 + microseconds)
  }

  /// A date: `yyyy-MM-dd`, `yyyy/MM/dd`, `yyyy.MM.dd`, `yyyyMMdd` or `dd.MM.yyyy`. `nil` for dates with
  /// slashes that begin with the day or the month, which are ambiguous.
  static func date(_ field: Span<UInt8>) -> CivilDay? {
    guard let (day, end) = day(field), end == field.count else { return nil }
    return day
  }

  /// A date as `yyMMdd`, from the year 2000 on.
  static func shortDate(_ field: Span<UInt8>) -> CivilDay? {
    guard field.count == 6, let digits = ASCII.integer(field, 0..<6) else { return nil }
    return CivilDay(validYear: 2000 + digits / 10_000, month: digits / 100 % 100, day: digits % 100)
  }

  /// A time of day, `hh:mm[:ss[.fraction]]`, `h:mm…` or `hhmmss`, optionally with `Z`, `UTC` or `GMT` after
  /// it.
  static func timeOfDay(_ field: Span<UInt8>) -> Int64? {
    var length = withoutZoneName(field)
    if length > 0, field[length - 1] | 0x20 == 0x7A { length -= 1 }
    // Some writers end the time with a decimal point and no fraction.
    if length > 0, field[length - 1] == ASCII.point { length -= 1 }
    let text = field.extracting(0..<length)
    if length == 6, let value = ASCII.integer(text, 0..<6), value % 100 < 60, value / 100 % 100 < 60,
      value < 240_000
    {
      return Int64(value / 10_000 * 3600 + value / 100 % 100 * 60 + value % 100) * 1_000_000
    }
    return clock(text)
  }

  /// The length of `field` without ` UTC` or ` GMT` at its end.
  private static func withoutZoneName(_ field: Span<UInt8>) -> Int {
    let count = field.count
    guard count > 4, field[count - 4] == ASCII.space else { return count }
    switch (field[count - 3], field[count - 2], field[count - 1]) {
    case (0x55, 0x54, 0x43), (0x47, 0x4D, 0x54): return count - 4
    default: return count
    }
  }

  /// The date at the start of `field`, and the index after it.
  private static func day(_ field: Span<UInt8>) -> (day: CivilDay, end: Int)? {
    if field.count >= 10, field[4] == field[7],
      field[4] == ASCII.slash || field[4] == ASCII.point || field[4] == ASCII.minus
    {
      return civilDay(
        year: ASCII.integer(field, 0..<4), month: ASCII.integer(field, 5..<7),
        day: ASCII.integer(field, 8..<10), end: 10)
    }
    if field.count >= 10, field[2] == ASCII.point, field[5] == ASCII.point {
      return civilDay(
        year: ASCII.integer(field, 6..<10), month: ASCII.integer(field, 3..<5),
        day: ASCII.integer(field, 0..<2), end: 10)
    }
    guard field.count >= 8 else { return nil }
    return civilDay(
      year: ASCII.integer(field, 0..<4), month: ASCII.integer(field, 4..<6), day: ASCII.integer(field, 6..<8),
      end: 8)
  }

  private static func civilDay(year: Int?, month: Int?, day: Int?, end: Int) -> (day: CivilDay, end: Int)? {
    guard let year, let month, let day else { return nil }
    return CivilDay(validYear: year, month: month, day: day).map { ($0, end) }
  }

  /// The number of seconds, or of another unit, since 1970, exact to the microsecond.
  private static func epochTime(_ field: Span<UInt8>, scale: Double, decimalComma: Bool) -> Instant? {
    let isNegative = field.count > 0 && field[0] == ASCII.minus
    var index = isNegative ? 1 : 0
    let start = index
    var whole: Int64 = 0
    while index < field.count, ASCII.isDigit(field[index]), index - start < 19 {
      whole = whole &* 10 &+ Int64(field[index] - 0x30)
      index += 1
    }
    guard index > start, index - start < 19 || (index - start == 19 && whole > 0) else { return nil }
    var micros: Int64 = 0
    if index < field.count {
      guard field[index] == ASCII.point || (decimalComma && field[index] == ASCII.comma) else {
        // Spreadsheets write large numbers with an exponent.
        return DecimalNumber.parse(field, decimalComma: decimalComma).flatMap {
          number(seconds: $0, scale: scale)
        }
      }
      index += 1
      var weight: Int64 = 100_000
      while index < field.count {
        guard ASCII.isDigit(field[index]) else {
          return DecimalNumber.parse(field, decimalComma: decimalComma).flatMap {
            number(seconds: $0, scale: scale)
          }
        }
        micros += Int64(field[index] - 0x30) * weight
        weight /= 10
        index += 1
      }
    }
    let total: Int64
    switch unit(of: Double(whole), scale: scale) {
    case .seconds:
      let (scaled, overflow) = whole.multipliedReportingOverflow(by: 1_000_000)
      guard !overflow, scaled < .max - 1_000_000 else { return nil }
      total = scaled + micros
    case .milliseconds:
      let (scaled, overflow) = whole.multipliedReportingOverflow(by: 1000)
      guard !overflow, scaled < .max - 1000 else { return nil }
      total = scaled + micros / 1000
    case .microseconds: total = whole
    case .nanoseconds: total = whole / 1000
    }
    return Instant(microseconds: isNegative ? -total : total)
  }

  private enum Unit: Double {
    case seconds = 1
    case milliseconds = 1e-3
    case microseconds = 1e-6
    case nanoseconds = 1e-9
  }

  private static func unit(of value: Double, scale: Double) -> Unit {
    if let unit = Unit(rawValue: scale) { return unit }
    switch abs(value) {
    case ..<1e11: return .seconds
    case ..<1e14: return .milliseconds
    case ..<1e17: return .microseconds
    default: return .nanoseconds
    }
  }

  private static func number(seconds value: Double, scale: Double) -> Instant? {
    Instant(secondsSince1970: value * unit(of: value, scale: scale).rawValue)
  }
}
