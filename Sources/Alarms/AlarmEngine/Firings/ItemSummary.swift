public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostJSON

/// What the reader of a firing needs to know about the item.
public struct ItemSummary: Hashable, Sendable {
  /// The item.
  public var id: Identifier<CalendarItem>
  /// True for an event, false for a reminder.
  public var isEvent: Bool
  /// Its title and its list.
  public var heading: ItemHeading
  /// Start, end, place, notes and URL.
  public var details: FiringDetails

  /// A summary.
  public init(
    id: Identifier<CalendarItem>, isEvent: Bool, title: String, list: String,
    details: FiringDetails = FiringDetails()
  ) {
    self.id = id
    self.isEvent = isEvent
    heading = ItemHeading(title: title, list: list)
    self.details = details
  }

  /// The item's title.
  public var title: String { heading.title }
  /// The name of its list or calendar.
  public var list: String { heading.list }

  /// The summary of an item in a store; `nil` if it is no longer there.
  public init?(of id: Identifier<CalendarItem>, in reader: borrowing StoreReader) throws(StoreError) {
    guard let context = try reader.context(of: id) else { return nil }
    self.init(of: id, context)
  }

  /// The summary of an item.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - list: The title of its list.
  public init(of item: CalendarItem, list: String) {
    self.init(
      id: item.id, isEvent: item.isEvent, title: item.title, list: list, details: FiringDetails(item))
  }

  /// The item of a firing, as it was then.
  public init(of entry: LedgerEntry) {
    self.init(of: entry.firing.item, entry.context)
  }

  private init(of item: Identifier<CalendarItem>, _ context: FiringContext?) {
    self.init(
      id: item, isEvent: context.map { !$0.isReminder } ?? false, title: context?.itemTitle ?? "",
      list: context?.listTitle ?? "", details: context?.details ?? FiringDetails())
  }

  /// The item as an object of a JSON line.
  public var json: JSONLine {
    var line = JSONLine()
    line.add("id", id.rawValue)
    line.add("type", isEvent ? "event" : "reminder")
    line.add("title", title)
    line.add("list", list)
    return line
  }
}
