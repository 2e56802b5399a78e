public import FencepostCalendarModel
import FencepostDatabase

extension StoreReader {
  /// Open items with a part that may keep an alarm from ringing: an alarm without a time and a place, a place
  /// without a position, a line of a date or rule that was kept because it could not be read. The caller
  /// decides whether it does.
  ///
  /// Cost: reads all alarms, and the kept lines of all items: some tens of milliseconds for 100,000.
  public func itemsWithDoubtfulAlarms(limit: Int) throws(StoreError) -> [CalendarItem] {
    try items(Queries.doubtful) { $0.add(limit) }
  }
}

private enum Queries {
  static let doubtful = SQL(
    ItemColumns.selection + """
       AND NOT i.is_silenced AND (
        i.row IN (
          SELECT a.item FROM alarms a LEFT JOIN structured_locations l
            ON l.alarm = CASE WHEN a.proximity IS NOT NULL THEN a.row END
          WHERE a.trigger_kind = 0 AND l.latitude IS NULL
            OR a.trigger_kind >= 2 AND (SELECT start IS NULL AND end_or_due IS NULL FROM items WHERE row = a.item))
        OR instr(i.preserved_properties, '"RRULE') OR instr(i.preserved_properties, '"DUE')
        OR instr(i.preserved_properties, '"DTSTART'))
      ORDER BY i.row LIMIT ?
      """)
}
