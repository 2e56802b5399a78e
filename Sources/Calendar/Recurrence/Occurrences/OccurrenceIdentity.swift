public import FencepostCalendarModel

/// Which occurrence of a series a RECURRENCE-ID or EXDATE names. It is identified by its instant: programs
/// write it in the zone of the series, in UTC, or as a day.
public struct OccurrenceIdentity: Sendable {
  private let source: SeriesSource?
  private let resolver: TimeResolver

  /// The occurrences of a series.
  ///
  /// - Parameters:
  ///   - master: Its master; `nil` if it is not known.
  ///   - resolver: The zones.
  public init(of master: CalendarItem?, resolver: TimeResolver) {
    source = master?.anchor.map { SeriesSource(Recurrence(), anchor: $0, resolver: resolver) }
    self.resolver = resolver
  }

  /// The instant of the occurrence that `time` names.
  public func instant(of time: CalendarTime) -> Instant {
    guard let source else { return resolver.instant(of: time) }
    return Instant(seconds: source.zone.seconds(ofLocal: source.local(time)))
  }

  /// The ways to write the occurrence that `time` names, that one first.
  ///
  /// - Parameter zone: Another zone in which it may be written.
  public func spellings(of time: CalendarTime, zone: TimeZoneID?) -> [CalendarTime] {
    var spellings = [time]
    func add(_ other: CalendarTime) {
      if !spellings.contains(other) { spellings.append(other) }
    }
    let instant = instant(of: time)
    if let source { add(source.anchor.with(civil: source.zone.civil(at: instant))) }
    let isDay = source?.anchor.isDate ?? time.isDate
    if !isDay { add(CalendarTime(instant)) }
    if !isDay, let zone, let rules = resolver.zones.zone(zone) { add(.zoned(rules.civil(at: instant), zone)) }
    return spellings
  }
}
