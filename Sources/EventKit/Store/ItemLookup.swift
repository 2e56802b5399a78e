import CalendarModel
import Recurrence
import CalendarStore

/// Where an operation finds the items that it changes: the store, within a transaction or beneath what is saved
/// and not committed.
protocol ItemLookup: ~Copyable {
  func item(_ id: Identifier<CalendarItem>) throws -> CalendarItem?
  func items(uid: String) throws -> [CalendarItem]
}

extension StoreReader: ItemLookup {}

/// Items that were saved and removed, and not yet committed.
struct PendingItems: Sendable {
  private(set) var saved: [Identifier<CalendarItem>: CalendarItem] = [:]
  private(set) var removed: Set<Identifier<CalendarItem>> = []

  /// The items of calendars that were removed, of the kinds that go with them.
  private var hidden: [Identifier<ItemCalendar>: ItemCalendar.Entities] = [:]

  var isEmpty: Bool { saved.isEmpty && removed.isEmpty && hidden.isEmpty }

  /// Notes that items of these kinds go with their calendar.
  mutating func hide(_ entities: ItemCalendar.Entities, in calendar: Identifier<ItemCalendar>) {
    hidden[calendar, default: []].formUnion(entities)
  }

  /// True where an item goes with its calendar.
  func isHidden(_ item: CalendarItem) -> Bool {
    hidden[item.calendar]?.contains(item.isEvent ? .events : .reminders) == true
  }

  /// True for an item that was saved or removed, or goes with its calendar.
  func isTouched(_ item: CalendarItem) -> Bool {
    saved[item.id] != nil || removed.contains(item.id) || isHidden(item)
  }

  mutating func apply(_ changes: ItemChanges) {
    for id in changes.removed {
      saved[id] = nil
      removed.insert(id)
    }
    for item in changes.saved {
      removed.remove(item.id)
      saved[item.id] = item
    }
  }

  /// `items` with what is pending in their place, and pending ones besides that fulfil `condition`.
  func over(_ items: [CalendarItem], where condition: (CalendarItem) -> Bool) -> [CalendarItem] {
    if isEmpty { return items }
    return items.filter { saved[$0.id] == nil && !removed.contains($0.id) && !isHidden($0) }
      + saved.values.filter { condition($0) && !isHidden($0) }.sorted { $0.id < $1.id }
  }
}

/// The items of a store as one `EKEventStore` sees them, pending ones included.
struct VisibleItems: ItemLookup {
  let store: CalendarStore
  let pending: PendingItems

  func item(_ id: Identifier<CalendarItem>) throws -> CalendarItem? {
    if pending.removed.contains(id) { return nil }
    let item = try pending.saved[id] ?? store.read { try $0.item(id) }
    return item.flatMap { pending.isHidden($0) ? nil : $0 }
  }

  func items(uid: String) throws -> [CalendarItem] {
    pending.over(try store.read { try $0.items(uid: uid) }) { $0.uid == uid }
  }
}
