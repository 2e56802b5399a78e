public import CalendarModel

/// Turns times as they were said into moments, and back: the zones that are known and the one in which
/// floating times and whole days are read.
///
/// Shared by whatever needs moments, so that all read a time alike. Copying one is cheap.
public struct TimeResolver: Sendable {
  /// The zones that are known.
  public let zones: TimeZoneDatabase
  /// The zone in which floating times and whole days are read, and times whose zone nobody knows.
  public let floating: ZoneRules

  /// A resolver.
  ///
  /// - Parameters:
  ///   - zones: The zones that are known.
  ///   - floating: The zone for floating times; the system's own where it is not given or not known.
  public init(zones: TimeZoneDatabase = .system, floating: TimeZoneID? = nil) {
    self.zones = zones
    self.floating = floating.flatMap(zones.zone) ?? zones.systemZone
  }

  /// The rules by which `time` is read. UTC for UTC; the floating zone for floating times, whole days and
  /// zones that nobody knows.
  public func rules(for time: CalendarTime) -> ZoneRules {
    switch time {
    case .date, .floating: floating
    case .utc: .utc
    case .zoned(_, let zone): zones.zone(zone) ?? floating
    }
  }

  /// True where the zone that `time` names, if any, is known.
  public func isKnown(_ time: CalendarTime) -> Bool {
    if case .zoned(_, let zone) = time { zones.zone(zone) != nil } else { true }
  }

  /// The moment that `time` names; for a whole day its midnight.
  ///
  /// Readings that a zone skips or shows twice are taken as RFC 5545 (section 3.3.5) says: with the offset
  /// before the gap, and the first of the two.
  public func instant(of time: CalendarTime) -> Instant { rules(for: time).instant(of: time.civil) }

  /// `instant` in the form of `time`: a UTC time stays one, a zoned time keeps its zone, a whole day gives
  /// the day that it is in the floating zone. Fractions of a second are dropped.
  public func time(_ instant: Instant, like time: CalendarTime) -> CalendarTime {
    time.with(civil: rules(for: time).civil(at: instant))
  }
}
