public import FencepostCalendarModel
public import FencepostRecurrence
public import FencepostSpatiotemporal

/// A time of a booking: the local clock time, and the known part of its zone.
public struct ReservationTime: Hashable, Sendable {
  /// The clock time; midnight for a day.
  public var civil: CivilDateTime
  /// True for a day without a time.
  public var isDay: Bool
  /// Seconds east of UTC, if written.
  public var utcOffset: Int?
  /// The zone, if written or known from the place.
  public var zone: TimeZoneID?
  /// True if day and month may be the other way round: the text was like `02/04/2018`.
  public var isDayGuess = false

  /// A time.
  public init(_ civil: CivilDateTime, isDay: Bool = false, utcOffset: Int? = nil, zone: TimeZoneID? = nil) {
    self.civil = civil
    self.isDay = isDay
    self.utcOffset = utcOffset
    self.zone = zone
  }

  /// Reads a time: of ISO 8601, as people write it (``WrittenDate``), or in seconds or milliseconds since
  /// 1970; `nil` for anything else. Of `02/04/2018`, the day is first.
  public init?(_ text: String) {
    if let time = Self(iso: text) ?? Self(epoch: text) {
      self = time
    } else if let date = WrittenDate(text), let iso = date.iso(.dayFirst), let time = Self(iso: iso) {
      self = time
      isDayGuess = date.isAmbiguous
    } else {
      return nil
    }
  }

  /// Reads ten digits as seconds since 1970, and thirteen as milliseconds.
  private init?(epoch text: String) {
    guard text.utf8.count == 10 || text.utf8.count == 13,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let seconds = Int64(text.prefix(10))
    else { return nil }
    self.init(CivilDateTime(secondsSinceEpoch: seconds), utcOffset: 0)
  }

  /// Reads a time of ISO 8601: `2026-03-04T10:20:00+01:00`, also with seconds, zone, separators, the time or
  /// a digit of the offset missing; `nil` for anything else.
  init?(iso text: String) {
    var text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let spread = Self.spread(text) { text = spread }
    text = Self.padded(text)
    if let read = Instant.RFC3339(text) {
      let seconds = read.instant.wholeSeconds + Int64(read.utcOffset ?? 0)
      self.init(CivilDateTime(secondsSinceEpoch: seconds), utcOffset: read.utcOffset)
    } else if let day = Instant.RFC3339(text + "T00:00") {
      self.init(CivilDateTime(secondsSinceEpoch: day.instant.wholeSeconds), isDay: true)
    } else {
      return nil
    }
    guard (1900...2200).contains(civil.day.components.year) else { return nil }
  }

  /// `+1:00` at the end as `+01:00`.
  private static func padded(_ text: String) -> String {
    guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return text }
    let offset = text[sign...].dropFirst()
    guard offset.count == 4, offset.dropFirst().first == ":" else { return text }
    return "\(text[...sign])0\(offset)"
  }

  /// `20260304T102030Z` and `20260304` with separators; `nil` for any other form.
  private static func spread(_ text: String) -> String? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard digits.count == 8 else { return nil }
    let day = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    let rest = text.dropFirst(8)
    guard rest.first == "T" else { return rest.isEmpty ? day : nil }
    let time = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
    guard time.count == 4 || time.count == 6 else { return day + rest }
    let pairs = [time.prefix(2), time.dropFirst(2).prefix(2), time.dropFirst(4)].filter { !$0.isEmpty }
    return "\(day)T\(pairs.joined(separator: ":"))\(rest.dropFirst(1 + time.count))"
  }

  /// True if neither an offset nor a zone is known, so the time follows the zone of the reader.
  public var isFloating: Bool { !isDay && utcOffset == nil && zone == nil }

  /// The form for a calendar: in its zone, otherwise in UTC, otherwise floating.
  public func calendarTime(in zones: TimeZoneDatabase) -> CalendarTime {
    if isDay { return .date(civil.day) }
    if let zone, let rules = zones.zone(zone) {
      guard let instant else { return .zoned(civil, zone) }
      return .zoned(rules.civil(at: instant), zone)
    }
    return instant.map { CalendarTime($0) } ?? .floating(civil)
  }

  /// The moment, if it has an offset.
  public var instant: Instant? {
    utcOffset.map { Instant(seconds: civil.secondsSinceEpoch - Int64($0)) }
  }

  /// The same time, `seconds` later.
  func adding(seconds: Int64) -> ReservationTime {
    var time = self
    time.civil = civil.adding(seconds: seconds)
    return time
  }

  /// The ISO 8601 text that reads back as this time.
  public var text: String {
    if isDay { return civil.day.description }
    guard let utcOffset else { return civil.description }
    return instant?.rfc3339(utcOffset: utcOffset) ?? civil.description
  }

  /// True if both are the same moment: by their offsets if both have one, otherwise by their clocks.
  public func isSame(as other: ReservationTime) -> Bool {
    if isDay || other.isDay { return civil.day == other.civil.day }
    if let mine = instant, let theirs = other.instant { return mine == theirs }
    return civil == other.civil
  }
}
