import FencepostSpatiotemporal

extension Reservation {
  /// True if a calendar has enough data: what, where and when, in the right order.
  ///
  /// A hotel needs both times; a trip needs a name at both ends. A cancellation that names its booking is
  /// valid too.
  public var isValid: Bool {
    if isMinimalCancellation { return true }
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

  /// The end, if it is not before the start. A trip's end on the day of its start was meant for the next one;
  /// other wrong ends are left out, because people write the wrong month or year of an end more often than of
  /// a start.
  var orderedEnd: ReservationTime? {
    guard let start, let end, !isOrdered(start, end) else { return end }
    let next = end.adding(seconds: 86_400)
    return kind.isTrip && !end.isDay && end.civil.day == start.civil.day && isOrdered(start, next)
      ? next : nil
  }

  /// False if `end` is certainly before `start`. Clocks of two places can't be compared without their
  /// offsets.
  private func isOrdered(_ start: ReservationTime, _ end: ReservationTime) -> Bool {
    if start.isDay || end.isDay {
      return end.civil.day.dayNumber >= start.civil.day.dayNumber - (kind.isTrip ? 1 : 0)
    }
    if let from = start.instant, let to = end.instant { return from <= to }
    // Clocks on Earth differ by at most 26 hours.
    let isOneClock = !kind.isTrip || start.zone != nil && start.zone == end.zone
    return start.civil <= (isOneClock ? end.civil : end.civil.adding(seconds: 26 * 3600))
  }
}
