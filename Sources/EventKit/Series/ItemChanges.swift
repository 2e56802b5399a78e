import CalendarModel

/// What becomes of items when an event or reminder is saved or removed.
struct ItemChanges: Hashable, Sendable {
  /// Items to keep as they stand here.
  var saved: [CalendarItem] = []
  /// Items to remove.
  var removed: [Identifier<CalendarItem>] = []
  /// The item that the object which was saved stands for from now on; `nil` for a removal.
  var subject: CalendarItem?
}
