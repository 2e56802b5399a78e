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

  /// Hands each series that has a live alarm of time, or a reminder with a due time and no alarm, to `body`, one by one.
  ///
  /// Cost: some tens of microseconds a series.
  public func forEachTimedSeries(
    resolver: TimeResolver, _ body: (OccurrenceSeries) throws -> Void
  ) throws {
    // Those that may be met again: their alarms are in several rows.
    var done: Set<SeriesName> = []
    try forEachPage(of: Queries.timed) { name in
      guard !done.contains(name) else { return }
      let series = try series(uid: name.uid, in: name.calendar, resolver: resolver)
      if series.items.count > 1 || series.items.lazy.flatMap(\.alarms).count > 1 { done.insert(name) }
      try body(series)
    }
    try forEachPage(of: Queries.due) { name in
      guard !done.contains(name) else { return }
      let series = try series(uid: name.uid, in: name.calendar, resolver: resolver)
      if series.items.count > 1 { done.insert(name) }
      try body(series)
    }
  }

  /// The series that a query names page by page, so that memory does not grow with the store. What it answers is in the
  /// order of its first two columns.
  private func forEachPage(of query: SQL, _ body: (SeriesName) throws -> Void) throws {
    var last: (key: Int64, row: Int64) = (.min, .min)
    while true {
      let page = try connection.all(query) {
        $0.add(last.key)
        $0.add(last.row)
      } read: { row in
        (key: row.int64(), row: row.int64(), series: SeriesName(uid: row.text(), calendar: row.identifier()))
      }
      guard let end = page.last else { return }
      last = (end.key, end.row)
      for one in page { try body(one.series) }
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
  /// Kind 0 is a trigger at no time.
  static let timed = SQL(
    """
    SELECT 0, a.row, i.uid, c.id
    FROM alarms a JOIN items i ON i.row = a.item JOIN calendars c ON c.row = i.calendar
    WHERE a.row > max(?1, ?2) AND a.trigger_kind <> 0 AND NOT i.is_silenced
      AND \(BulkChange.excludes("i.row")) ORDER BY a.row LIMIT 1000
    """)
  /// Along an index that has open reminders alone.
  static let due = SQL(
    """
    SELECT i.due_about, i.row, i.uid, c.id
    FROM items i INDEXED BY reminders_incomplete JOIN calendars c ON c.row = i.calendar
    WHERE i.is_reminder AND NOT i.is_completed AND (i.due_about, i.row) > (?1, ?2)
      AND NOT i.is_silenced AND NOT i.parts & \(ItemParts.alarms.rawValue) AND \(BulkChange.excludes("i.row"))
    ORDER BY i.due_about, i.row LIMIT 1000
    """)
}
