import FencepostCalendarModel
import FencepostICalendar
import FencepostRecurrence

/// Lengths of events, which JSCalendar has instead of ends.
enum JSCalendarDuration {
  /// The length from which an end follows.
  static func between(_ start: CalendarTime, _ end: CalendarTime, _ resolver: TimeResolver)
    -> CalendarDuration
  {
    let seconds = max(0, end.civil.secondsSinceEpoch - start.civil.secondsSinceEpoch)
    let days = Int(seconds / 86_400)
    if start.isDate, end.isDate { return CalendarDuration(days: days) }
    if start.zone == end.zone {
      // Of the lengths that lead to the end, the one that reads best.
      for length in [
        CalendarDuration(seconds: Int(seconds)), CalendarDuration(days: days, seconds: Int(seconds % 86_400)),
      ]
      where start.advanced(by: length) == end { return length }
    }
    let exact = resolver.instant(of: end).seconds(since: resolver.instant(of: start))
    return CalendarDuration(seconds: Int(max(0, exact)))
  }
}
