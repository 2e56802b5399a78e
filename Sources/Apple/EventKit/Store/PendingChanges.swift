import FencepostCalendarModel
import FencepostRecurrence

/// Changes through one `EKEventStore` that wait for its `commit()`.
struct PendingChanges {
  /// A save or a removal.
  enum Change {
    case item(ItemOperation)
    case saveCalendar(ItemCalendar, base: ItemCalendar?)
    case removeCalendar(Identifier<ItemCalendar>, entities: ItemCalendar.Entities)
  }

  /// A change, with callbacks for its object.
  struct Entry {
    let change: Change
    /// Called after the commit with the changes to items.
    let committed: (ItemChanges) -> Void
    /// Restores the object's state before the change.
    let undo: () -> Void
  }

  var entries: [Entry] = []
  /// The expected changes to items.
  var items = PendingItems()
  var calendars: [Identifier<ItemCalendar>: ItemCalendar] = [:]
  var removedCalendars: Set<Identifier<ItemCalendar>> = []

  var isEmpty: Bool { entries.isEmpty }
}
