import CalendarModel
import CalendarStore

/// Where an operation finds the items that it changes: the store, within a transaction or beneath what is saved
/// and not committed.
protocol ItemLookup: ~Copyable {
  func item(_ id: Identifier<CalendarItem>) throws -> CalendarItem?
  func items(uid: String) throws -> [CalendarItem]
}

/// The store as it is on disk.
struct StoredItems: ItemLookup {
  let store: CalendarStore

  func item(_ id: Identifier<CalendarItem>) throws -> CalendarItem? {
    try store.read { try $0.item(id) }
  }

  func items(uid: String) throws -> [CalendarItem] {
    try store.read { try $0.items(uid: uid) }
  }
}
