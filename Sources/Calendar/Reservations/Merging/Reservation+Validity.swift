import FencepostCalendarModel
import FencepostRecurrence
import FencepostSpatiotemporal

extension Reservation {
  /// True if a calendar has enough data: what, where and when, in the right order.
  ///
  /// A hotel needs both times; a trip needs a name at both ends. A cancellation that names its booking is
  /// valid too, and so is what adds something to a booking that it names.
  public var isValid: Bool {
    if isMinimalCancellation || isAddition { return true }
    guard let start else { return false }
    if let end, !isOrdered(start, end) { return false }
    switch kind {
    case .flight, .train, .bus, .boat: return place?.label != nil && destination?.label != nil
    case .hotel: return title != nil && end != nil
    case .restaurant, .event: return title != nil
    case .car: return title != nil || place?.label != nil
    case .taxi: return place?.label != nil
    }
  }

  /// Repairs an end before the start. One on the day of the start was meant for the next day: a night train, a
  /// show past midnight. Other wrong ends are left out and named, because people write the wrong month or year
  /// of an end more often than of a start.
  mutating func repairEnd(in zones: TimeZoneDatabase) {
    guard let start, let end, !isOrdered(start, end, in: zones) else { return }
    let next = end.adding(seconds: 86_400)
    if !end.isDay, !start.isDay, end.civil.day == start.civil.day, isOrdered(start, next, in: zones) {
      self.end = next
    } else {
      details[.wrongEnd] = end.localText(in: zones)
      self.end = nil
    }
  }

  /// An event from 0:00 to 23:59 has whole days.
  mutating func makeWholeDays() {
    guard kind == .event, let from = start, let to = end, !from.isDay, !to.isDay,
      from.civil.hour == 0, from.civil.minute == 0, to.civil.hour == 23, to.civil.minute == 59
    else { return }
    start = ReservationTime(CivilDateTime(day: from.civil.day, secondOfDay: 0), isDay: true)
    end = ReservationTime(CivilDateTime(day: to.civil.day, secondOfDay: 0), isDay: true)
  }

  /// False if `end` is certainly before `start`. Clocks of two places can't be compared without their
  /// offsets.
  private func isOrdered(
    _ start: ReservationTime, _ end: ReservationTime, in zones: TimeZoneDatabase = .system
  ) -> Bool {
    if start.isDay || end.isDay {
      return end.civil.day.dayNumber >= start.civil.day.dayNumber - (kind.isTrip ? 1 : 0)
    }
    if let from = start.instant(in: zones), let to = end.instant(in: zones) { return from <= to }
    // Clocks on Earth differ by at most 26 hours.
    let isOneClock = !kind.isTrip || start.zone != nil && start.zone == end.zone
    return start.civil <= (isOneClock ? end.civil : end.civil.adding(seconds: 26 * 3600))
  }
}
