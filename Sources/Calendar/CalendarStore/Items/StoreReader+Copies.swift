public import FencepostCalendarModel
public import FencepostDatabase

extension StoreReader {
  /// The copies of an item: same UID, and same occurrence of its series. Each of several calendars may have
  /// one.
  ///
  /// Cost: some microseconds if there are none.
  public func items(
    uid: String, occurrence: CalendarTime?
  ) throws(StoreError) -> [CalendarItem] {
    try items(occurrence == nil ? Queries.masters : Queries.detached) {
      $0.add(uid)
      if let occurrence { $0.add(occurrence) }
    }
  }

  /// The occurrences of a repeating reminder that are done or cancelled as items of their own, as many
  /// clients complete one; empty for any other item.
  ///
  /// Cost: some microseconds if there are none.
  public func closedOccurrences(of item: CalendarItem) throws(StoreError) -> [CalendarTime] {
    guard item.reminder != nil, item.recurrence != nil, item.detachment == nil else { return [] }
    return try connection.all(
      Queries.closed,
      {
        $0.add(item.uid)
        $0.add(item.calendar)
      }, read: { $0.time() })
  }

  /// The identifiers and titles of all items in a calendar or list, in order of creation.
  ///
  /// Cost: a fraction of ``items(in:)``.
  public func itemTitles(
    in calendar: Identifier<ItemCalendar>
  ) throws(StoreError) -> [(id: Identifier<CalendarItem>, title: String)] {
    try connection.all(Queries.titles, { $0.add(calendar) }, read: { ($0.identifier(), $0.text()) })
  }
}

private enum Queries {
  static let masters = SQL(
    ItemColumns.selection + " AND i.uid = ? AND i.detached_occurrence IS NULL ORDER BY i.row")
  // Not IS, which could not use the index of detached occurrences.
  static let detached = SQL(
    ItemColumns.selection + " AND i.uid = ? AND i.detached_occurrence = ? ORDER BY i.row")
  static let closed = SQL(
    """
    SELECT detached_occurrence FROM items WHERE uid = ? AND detached_occurrence IS NOT NULL
      AND is_reminder AND is_silenced AND calendar = (SELECT row FROM calendars WHERE id = ?)
      AND \(BulkChange.excludes("row")) ORDER BY row
    """)
  static let titles = SQL(
    """
    SELECT id, title FROM items WHERE calendar = (SELECT row FROM calendars WHERE id = ?)
      AND \(BulkChange.excludes("row")) ORDER BY row
    """)
}
