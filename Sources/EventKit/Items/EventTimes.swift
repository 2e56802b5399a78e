import CalendarModel
import Foundation
import Recurrence

/// When an event, or one occurrence of it, takes place, as `EKEvent` says it.
///
/// The forms in which the store says it (whole days, wall-clock times of a zone, moments) come of these and
/// go back into them only where something was changed, so that a time stays said as it was.
struct EventTimes: Hashable, Sendable {
  var start: Date?
  /// For whole days, the last second of the last one.
  var end: Date?
  var isAllDay = false
  /// The zone; `nil` for a floating event.
  var zone: TimeZoneID?

  /// The times of a new event in the system's zone.
  init(zone: TimeZoneID) { self.zone = zone }

  /// The times from `start` until `end`, which is not part of it.
  init(start: CalendarTime, end: CalendarTime, resolver: TimeResolver) {
    self.init(form: start, from: resolver.instant(of: start), until: resolver.instant(of: end))
  }

  /// The times of an occurrence.
  init(_ occurrence: Occurrence) {
    self.init(form: occurrence.start, from: occurrence.startInstant, until: occurrence.endInstant)
  }

  /// The times from one moment until another, said in the form of `form`.
  private init(form: CalendarTime, from start: Instant, until end: Instant) {
    isAllDay = form.isDate
    zone = form.zone
    let first = Date(start)
    let last = Date(end)
    self.start = first
    self.end = isAllDay ? max(first, last.addingTimeInterval(-1)) : last
  }

  /// The times as the store says them; `nil` where one is missing.
  ///
  /// An all-day event takes the day of its start to the day of its end, both included, as the default zone
  /// shows them: one that ends at a midnight ends on the day that begins then, as Apple's does.
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
