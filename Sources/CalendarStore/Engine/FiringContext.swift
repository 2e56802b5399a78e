public import CalendarModel

/// What is said of a firing's item when the user is told of it.
public struct FiringContext: Hashable, Sendable {
  /// The item's title.
  public var itemTitle: String
  /// True for a reminder, false for an event.
  public var isReminder: Bool
  /// The calendar or list that it is in.
  public var list: Identifier<ItemCalendar>
  /// The name of that.
  public var listTitle: String
  /// The alarm's own text; `nil` for the item's title.
  public var message: String?

  /// A context.
  public init(
    itemTitle: String, isReminder: Bool, list: Identifier<ItemCalendar>, listTitle: String, message: String?
  ) {
    self.itemTitle = itemTitle
    self.isReminder = isReminder
    self.list = list
    self.listTitle = listTitle
    self.message = message
  }
}

extension StoreReader {
  /// What is to be said of an alarm of an item; `nil` where the item is not in the store.
  public func firingContext(
    alarm: Identifier<Alarm>, item: Identifier<CalendarItem>
  ) throws(StoreError) -> FiringContext? {
    try connection.first(Queries.context) {
      $0.add(alarm)
      $0.add(item)
    } read: {
      $0.firingContext()
    }
  }
}

extension RowReader {
  mutating func firingContext() -> FiringContext {
    FiringContext(
      itemTitle: text(), isReminder: bool(), list: identifier(), listTitle: text(), message: optionalText())
  }
}

private enum Queries {
  static let context = SQL(
    """
    SELECT i.title, i.is_reminder, c.id, c.title, a.message
    FROM items i JOIN calendars c ON c.row = i.calendar LEFT JOIN alarms a ON a.item = i.row AND a.id = ?
    WHERE i.id = ? LIMIT 1
    """)
}
