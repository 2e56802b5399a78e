public import FencepostCalendarModel
public import FencepostDatabase

/// What is open in a list, for the alarm of its whole list.
public struct OpenReminders: Hashable, Sendable {
  /// How many reminders are open.
  public var count: Int
  /// The titles of the first ones: those that are due, the earliest first, and then the others in the order in
  /// which they were made.
  public var titles: [String]

  /// One line: `5 open: Milk, Bread, Eggs and 2 more`.
  public var sentence: String {
    let rest = count - titles.count
    return "\(count) open: " + titles.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension StoreReader {
  /// The reminders that stand for a whole list (``CalendarModel/CalendarItem/isForWholeList``).
  public func wholeListReminders(
    in list: Identifier<ItemCalendar>
  ) throws(StoreError) -> [CalendarItem] {
    try items(Queries.ofList) { $0.add(list) }
  }

  /// The other open reminders of an item's list, if the item stands for its whole list; `nil` if it does not.
  ///
  /// Cost: some 5 microseconds for any other item.
  public func openReminders(
    besides item: Identifier<CalendarItem>
  ) throws(StoreError) -> OpenReminders? {
    guard let list = try connection.first(Queries.list, { $0.add(item) }, read: { $0.int64() }) else {
      return nil
    }
    var open = OpenReminders(count: 0, titles: [])
    open.count = try connection.first(Queries.count, { $0.add(list) }, read: { $0.int() }) ?? 0
    open.titles = try connection.all(Queries.titles, { $0.add(list) }, read: { $0.text() })
    return open
  }
}

/// The mark of a reminder that stands for its whole list.
enum WholeListMark {
  /// SQL: The item `i` has the mark. 0 or 1.
  static let isSet =
    "(i.preserved_properties IS NOT NULL AND i.preserved_properties LIKE '%\"\(CalendarItem.wholeListLine)\"%')"
}

private enum Queries {
  static let ofList = SQL(
    ItemColumns.selection
      + " AND i.calendar = (SELECT row FROM calendars WHERE id = ?) AND i.is_reminder"
      + " AND \(WholeListMark.isSet) ORDER BY i.row")
  static let list = SQL(
    "SELECT i.calendar FROM items i WHERE i.id = ? AND i.is_reminder AND \(WholeListMark.isSet)")
  private static let open =
    "FROM items i WHERE i.calendar = ? AND i.is_reminder AND NOT i.is_completed AND NOT i.is_silenced "
    + "AND NOT \(WholeListMark.isSet) AND \(BulkChange.excludes("i.row"))"
  static let count = SQL("SELECT count(*) \(open)")
  static let titles = SQL(
    "SELECT i.title \(open) ORDER BY i.due_about IS NULL, i.due_about, i.row LIMIT 3")
}
