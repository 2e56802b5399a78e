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
    var cursor = TimedSeriesCursor()
    while !cursor.isAtEnd { try advance(&cursor, atMost: .max, resolver: resolver, body) }
  }

  /// Hands the next such series to `body`, which several transactions may do one after another: what changes between
  /// them may be met as it was, as it is, or not at all.
  public func advance(
    _ cursor: inout TimedSeriesCursor, atMost count: Int, resolver: TimeResolver,
    _ body: (OccurrenceSeries) throws -> Void
  ) throws {
    var left = count
    while left > 0 {
      // Page by page, so that memory does not grow with the store.
      let page = try connection.all(cursor.isOfAlarms ? Queries.timed : Queries.due) {
        $0.add(cursor.key)
        $0.add(cursor.row)
        $0.add(min(left, 1_000))
      } read: { row in
        (key: row.int64(), row: row.int64(), series: SeriesName(uid: row.text(), calendar: row.identifier()))
      }
      guard !page.isEmpty else { return cursor.endPart() }
      left -= page.count
      for (key, row, name) in page {
        (cursor.key, cursor.row) = (key, row)
        guard !cursor.done.contains(name) else { continue }
        let series = try series(uid: name.uid, in: name.calendar, resolver: resolver)
        if series.items.count > 1 || cursor.isOfAlarms && series.items.lazy.flatMap(\.alarms).count > 1 {
          cursor.done.insert(name)
        }
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

/// How far somebody has come through the series that have alarms of time: see ``StoreReader/advance(_:atMost:resolver:_:)``.
public struct TimedSeriesCursor: Sendable {
  /// True once all were met.
  public private(set) var isAtEnd = false
  /// Those with alarms come first, then those whose alarm the settings imply.
  fileprivate private(set) var isOfAlarms = true
  /// The first two columns of the last row, in whose order they are.
  fileprivate var key = Int64.min, row = Int64.min
  /// Those that may be met again: their alarms are in several rows.
  fileprivate var done: Set<SeriesName> = []

  /// Before the first.
  public init() {}

  fileprivate mutating func endPart() {
    isAtEnd = !isOfAlarms
    isOfAlarms = false
    (key, row) = (.min, .min)
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
      AND \(BulkChange.excludes("i.row")) ORDER BY a.row LIMIT ?3
    """)
  /// Along an index that has open reminders alone.
  static let due = SQL(
    """
    SELECT i.due_about, i.row, i.uid, c.id
    FROM items i INDEXED BY reminders_incomplete JOIN calendars c ON c.row = i.calendar
    WHERE i.is_reminder AND NOT i.is_completed AND (i.due_about, i.row) > (?1, ?2)
      AND NOT i.is_silenced AND NOT i.parts & \(ItemParts.alarms.rawValue) AND \(BulkChange.excludes("i.row"))
    ORDER BY i.due_about, i.row LIMIT ?3
    """)
}
