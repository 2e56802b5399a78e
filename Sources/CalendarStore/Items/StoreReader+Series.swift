public import CalendarModel
public import Recurrence

extension StoreReader {
  /// The series that an item belongs to: its master and all detached occurrences in the same calendar; `nil`
  /// where the item is not in the store. An item that does not repeat is a series of one.
  public func series(
    of item: Identifier<CalendarItem>, resolver: TimeResolver
  ) throws(StoreError) -> OccurrenceSeries? {
    guard let item = try self.item(item) else { return nil }
    return try series(uid: item.uid, in: item.calendar, resolver: resolver)
  }

  /// Hands each series that has a live alarm of time to `body`, one by one.
  ///
  /// Cost: some tens of microseconds a series.
  public func forEachTimedSeries(
    resolver: TimeResolver, _ body: (OccurrenceSeries) throws -> Void
  ) throws {
    var last: Int64 = 0
    // Those that may be met again: their alarms are in several rows.
    var done: Set<SeriesName> = []
    while true {
      let page = try connection.all(Queries.timed, { $0.add(last) }) { row in
        (row: row.int64(), series: SeriesName(uid: row.text(), calendar: row.identifier()))
      }
      guard let end = page.last else { return }
      last = end.row
      for (_, name) in page where !done.contains(name) {
        let series = try series(uid: name.uid, in: name.calendar, resolver: resolver)
        if series.items.lazy.flatMap(\.alarms).count > 1 { done.insert(name) }
        try body(series)
      }
    }
  }

  private func series(
    uid: String, in calendar: Identifier<ItemCalendar>, resolver: TimeResolver
  ) throws(StoreError) -> OccurrenceSeries {
    OccurrenceSeries(try items(uid: uid).filter { $0.calendar == calendar }, resolver: resolver)
  }
}

/// What the items of a series have in common.
struct SeriesName: Hashable {
  var uid: String
  var calendar: Identifier<ItemCalendar>
}

private enum Queries {
  /// By pages, so that memory does not grow with the store. Kind 0 is a trigger at no time.
  static let timed = SQL(
    """
    SELECT a.row, i.uid, c.id FROM alarms a JOIN items i ON i.row = a.item JOIN calendars c ON c.row = i.calendar
    WHERE a.row > ? AND a.trigger_kind <> 0 AND NOT i.is_silenced ORDER BY a.row LIMIT 1000
    """)
}
