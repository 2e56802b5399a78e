public import FencepostCalendarModel

/// Converts calendar times to instants and back. It knows the zones, and the zone of floating times and whole days.
///
/// All rooms share it, so that they read a time the same way. Copies are cheap.
public struct TimeResolver: Sendable {
  /// The known zones.
  public let zones: TimeZoneDatabase
  /// The zone of floating times, whole days, and times in unknown zones.
  public let floating: ZoneRules

  /// A resolver.
  ///
  /// - Parameters:
  ///   - zones: The known zones.
  ///   - floating: The zone of floating times; the system's zone if it is `nil` or unknown.
  public init(zones: TimeZoneDatabase = .system, floating: TimeZoneID? = nil) {
    self.zones = zones
    self.floating = floating.flatMap(zones.zone) ?? zones.systemZone
  }

  /// A resolver with rules for floating times that may have no known name.
  public init(zones: TimeZoneDatabase, floating: ZoneRules) {
    self.zones = zones
    self.floating = floating
  }

  /// The zone rules for `time`. UTC for UTC times; the floating zone for floating times, whole days and unknown zones.
  public func rules(for time: CalendarTime) -> ZoneRules {
    switch time {
    case .date, .floating: floating
    case .utc: .utc
    case .zoned(_, let zone): zones.zone(zone) ?? floating
    }
  }

  /// Whether `time` has no zone or a known one.
  public func isKnown(_ time: CalendarTime) -> Bool {
    if case .zoned(_, let zone) = time { zones.zone(zone) != nil } else { true }
  }

  /// The instant of `time`; midnight for a whole day.
  ///
  /// A local time in a clock gap uses the offset before the gap. A repeated local time means the first pass (RFC 5545,
  /// section 3.3.5).
  public func instant(of time: CalendarTime) -> Instant { rules(for: time).instant(of: time.civil) }

  /// `instant` in the form of `time`: UTC stays UTC, a zoned time keeps its zone, a whole day gives the day in the
  /// floating zone. Drops fractions of a second.
  public func time(_ instant: Instant, like time: CalendarTime) -> CalendarTime {
    time.with(civil: rules(for: time).civil(at: instant))
  }
}
