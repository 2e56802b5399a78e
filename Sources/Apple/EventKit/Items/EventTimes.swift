import FencepostCalendarModel
import FencepostRecurrence
import Foundation

/// The times of an event or occurrence in the form of `EKEvent`.
///
/// They are computed from the store's forms (whole days, local times in a zone, instants). They are converted back only
/// after a change, so that unchanged times keep their form.
struct EventTimes: Hashable, Sendable {
  var start: Date?
  /// For whole days, the last second of the last day.
  var end: Date?
  var isAllDay = false
  /// The zone; `nil` for a floating event.
  var zone: TimeZoneID?

  /// The times of a new event in the system's zone.
  init(zone: TimeZoneID) { self.zone = zone }

  /// The times from `start` up to, but not including, `end`.
  init(start: CalendarTime, end: CalendarTime, resolver: TimeResolver) {
    self.init(form: start, from: resolver.instant(of: start), until: resolver.instant(of: end))
  }

  /// The times of an occurrence.
  init(_ occurrence: Occurrence) {
    self.init(form: occurrence.start, from: occurrence.startInstant, until: occurrence.endInstant)
  }

  /// The times between two instants, in the form of `form`.
  private init(form: CalendarTime, from start: Instant, until end: Instant) {
    isAllDay = form.isDate
    zone = form.zone
    let first = Date(start)
    let last = Date(end)
    self.start = first
    self.end = isAllDay ? max(first, last.addingTimeInterval(-1)) : last
  }

  /// The times in the store's form; `nil` if one is missing.
  ///
  /// An all-day event includes the days of its start and its end in the default zone. If it ends at midnight, it
  /// includes the day that begins then, like Apple's.
  func stored(_ resolver: TimeResolver) -> (start: CalendarTime, end: CalendarTime)? {
    guard let start, let end else { return nil }
    if isAllDay {
      let first = resolver.civil(of: start).day
      let last = max(resolver.civil(of: end).day, first)
      return (.date(first), .date(last.adding(days: 1)))
    }
    return (form(start, resolver), form(end, resolver))
  }

  private func form(_ date: Date, _ resolver: TimeResolver) -> CalendarTime {
    guard let zone else { return .floating(resolver.civil(of: date)) }
    if zone == .utc || resolver.zones.zone(zone) == nil { return CalendarTime(date.instant) }
    return .zoned(resolver.civil(of: date, in: zone), zone)
  }
}
