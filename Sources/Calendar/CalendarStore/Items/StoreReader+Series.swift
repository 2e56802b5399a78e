public import FencepostCalendarModel
public import FencepostDatabase
public import FencepostRecurrence

extension StoreReader {
  /// The series of an item: its master and all detached occurrences in the same calendar; `nil` if the item
  /// is not in the store. An item that does not repeat is a series of one.
  public func series(
    of item: Identifier<CalendarItem>, resolver: TimeResolver
  ) throws(StoreError) -> OccurrenceSeries? {
    guard let item = try self.item(item) else { return nil }
    return try series(uid: item.uid, in: item.calendar, resolver: resolver)
  }

  /// Calls `body` with each series that has an active time-based alarm, or a reminder with a due time and no
  /// alarm.
  ///
  /// Cost: some tens of microseconds per series.
  public func forEachTimedSeries(
    resolver: TimeResolver, _ body: (OccurrenceSeries) throws -> Void
  ) throws {
    var cursor = TimedSeriesCursor()
    while !cursor.isAtEnd { try advance(&cursor, atMost: .max, resolver: resolver, body) }
  }

  /// Calls `body` with the next `count` such series. Several transactions may do this in sequence: it may see
  /// the old or the new state of series that change in between, or miss them.
  ///
  /// - Parameter damaged: Called with the error of a series that can't be read; by default it throws that.
  public func advance(
    _ cursor: inout TimedSeriesCursor, atMost count: Int, resolver: TimeResolver,
    damaged: (StoreError) throws -> Void = { throw $0 }, _ body: (OccurrenceSeries) throws -> Void
  ) throws {
    var left = count
    while left > 0 {
      // Read page by page, so that memory does not grow with the store.
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
        let series: OccurrenceSeries
        do throws(StoreError) {
          series = try self.series(uid: name.uid, in: name.calendar, resolver: resolver)
        } catch {
          guard error.isOfOneValue else { throw error }
          try damaged(StoreError(path: error.path, reason: .partlyDamaged("item \(name.uid)", error)))
          continue
        }
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
    OccurrenceSeries(try items(uid: uid, in: calendar), resolver: resolver)
  }
}

/// The position in the series with time-based alarms: see ``StoreReader/advance(_:atMost:resolver:_:)``.
public struct TimedSeriesCursor: Sendable {
  /// Whether all were visited.
  public private(set) var isAtEnd = false
  /// Series with alarms come first, then those with implied alarms.
  fileprivate private(set) var isOfAlarms = true
  /// The first two columns of the last row, which define the order.
  fileprivate var key = Int64.min, row = Int64.min
  /// Visited series that may come again, because their alarms are in several rows.
  fileprivate var done: Set<SeriesName> = []

  /// The position before the first.
  public init() {}

  fileprivate mutating func endPart() {
    isAtEnd = !isOfAlarms
    isOfAlarms = false
    (key, row) = (.min, .min)
  }
}

/// The common values of the items of a series.
public struct SeriesName: Hashable, Sendable {
  let uid: String
  let calendar: Identifier<ItemCalendar>
}

extension SeriesName {
  /// The series that an item belongs to.
  public init(of item: CalendarItem) { self.init(uid: item.uid, calendar: item.calendar) }
}

private enum Queries {
  /// Kind 0 is a trigger without a time.
  static let timed = SQL(
    """
    SELECT 0, a.row, i.uid, c.id
    FROM alarms a JOIN items i ON i.row = a.item JOIN calendars c ON c.row = i.calendar
    WHERE a.row > max(?1, ?2) AND a.trigger_kind <> 0 AND NOT i.is_silenced
      AND \(BulkChange.excludes("i.row")) ORDER BY a.row LIMIT ?3
    """)
  /// Reminders without an alarm at a time, which may have the default alarm. Uses an index of open reminders.
  static let due = SQL(
    """
    SELECT i.due_about, i.row, i.uid, c.id
    FROM items i INDEXED BY reminders_incomplete JOIN calendars c ON c.row = i.calendar
    WHERE i.is_reminder AND NOT i.is_completed AND (i.due_about, i.row) > (?1, ?2)
      AND NOT i.is_silenced AND \(BulkChange.excludes("i.row"))
      AND (NOT i.parts & \(ItemParts.alarms.rawValue)
        OR NOT EXISTS (SELECT 1 FROM alarms a WHERE a.item = i.row AND a.trigger_kind <> 0))
    ORDER BY i.due_about, i.row LIMIT ?3
    """)
}
