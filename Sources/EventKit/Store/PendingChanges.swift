import CalendarModel
import Recurrence

/// What was saved and removed through one `EKEventStore` and waits for its `commit()`.
struct PendingChanges {
  /// One save or removal.
  enum Change {
    case item(ItemOperation)
    case saveCalendar(ItemCalendar, base: ItemCalendar?)
    case removeCalendar(Identifier<ItemCalendar>, entities: ItemCalendar.Entities)
  }

  /// A change, and what it means to the object that it was made with.
  struct Entry {
    let change: Change
    /// Tells the object that the change is on disk, and what it did to items.
    let committed: (ItemChanges) -> Void
    /// Puts the object back to where it was before it was saved or removed.
    let undo: () -> Void
  }

  var entries: [Entry] = []
  /// What they do to items, as far as can be told before they are committed.
  var items = PendingItems()
  var calendars: [Identifier<ItemCalendar>: ItemCalendar] = [:]
  var removedCalendars: Set<Identifier<ItemCalendar>> = []

  var isEmpty: Bool { entries.isEmpty }
}
