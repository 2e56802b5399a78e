public import FencepostSpatiotemporal

/// A DATE or DATE-TIME of RFC 5545 (sections 3.3.4 and 3.3.5), in its original form.
///
/// It keeps the form, not the instant: an event at nine in Berlin stays at nine when the rules of the zone change. The
/// Recurrence room has the zone rules to convert it to an ``Instant``.
public enum CalendarTime: Hashable, Sendable {
  /// A whole day in any zone (form VALUE=DATE): all-day events, reminders without a time.
  case date(CivilDay)
  /// A wall-clock time in any zone (form #1).
  case floating(CivilDateTime)
  /// A moment in UTC (form #2), to the second.
  case utc(CivilDateTime)
  /// A wall-clock time in a named zone (form #3).
  case zoned(CivilDateTime, TimeZoneID)

  /// Whether it is a whole day.
  public var isDate: Bool {
    if case .date = self { true } else { false }
  }

  /// The day as written, in its own zone.
  public var day: CivilDay { civil.day }

  /// The wall-clock reading as written, in its own zone; midnight for a whole day.
  public var civil: CivilDateTime {
    switch self {
    case .date(let day): CivilDateTime(day: day, secondOfDay: 0)
    case .floating(let time), .utc(let time), .zoned(let time, _): time
    }
  }

  /// The zone as written; `nil` for whole days and floating times, UTC for UTC.
  public var zone: TimeZoneID? {
    switch self {
    case .date, .floating: nil
    case .utc: .utc
    case .zoned(_, let zone): zone
    }
  }

  /// The same form and zone with another wall-clock reading; a whole day takes only its day.
  public func with(civil: CivilDateTime) -> CalendarTime {
    switch self {
    case .date: .date(civil.day)
    case .floating: .floating(civil)
    case .utc: .utc(civil)
    case .zoned(_, let zone): .zoned(civil, zone)
    }
  }

  /// The moment of a UTC time; `nil` for the forms that need zone rules.
  public var utcInstant: Instant? {
    if case .utc(let time) = self { Instant(seconds: time.secondsSinceEpoch) } else { nil }
  }

  /// The UTC form of `instant`, without fractions of a second.
  public init(_ instant: Instant) {
    self = .utc(CivilDateTime(secondsSinceEpoch: instant.wholeSeconds))
  }
}
