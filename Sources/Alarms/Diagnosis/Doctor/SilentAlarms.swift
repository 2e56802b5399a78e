public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostICalendar
public import FencepostRecurrence

extension StoreReader {
  /// The alarms that will not ring, and why, of items that are not over. Looks at a thousand items at most.
  public func silentAlarms(
    at now: Instant, resolver: TimeResolver
  ) throws -> [(item: CalendarItem, reason: String)] {
    var found: [(item: CalendarItem, reason: String)] = []
    for item in try itemsWithDoubtfulAlarms(limit: 1_000) {
      if item.isEvent, let end = OccurrenceSeries(item, resolver: resolver).bounds?.end, end < now {
        continue
      }
      found += item.alarmDoubts(resolver: resolver).map { (item: item, reason: $0.reason) }
    }
    return found
  }
}
