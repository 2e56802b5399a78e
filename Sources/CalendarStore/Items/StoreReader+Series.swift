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
    let found = try connection.all(Queries.timed, { _ in }) { row in
      (uid: row.text(), calendar: row.identifier() as Identifier<ItemCalendar>)
    }
    for (uid, calendar) in found { try body(try series(uid: uid, in: calendar, resolver: resolver)) }
  }

  private func series(
    uid: String, in calendar: Identifier<ItemCalendar>, resolver: TimeResolver
  ) throws(StoreError) -> OccurrenceSeries {
    OccurrenceSeries(try items(uid: uid).filter { $0.calendar == calendar }, resolver: resolver)
  }
}

private enum Queries {
  /// Kind 0 is a trigger at no time.
  static let timed = SQL(
    """
    SELECT DISTINCT i.uid, c.id FROM alarms a JOIN items i ON i.row = a.item JOIN calendars c ON c.row = i.calendar
    WHERE a.trigger_kind <> 0 AND NOT i.is_silenced ORDER BY i.row
    """)
}
