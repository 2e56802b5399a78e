import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import Foundation
import Synchronization

/// A source of items for an operation: the store within a transaction, or the store with pending changes.
protocol ItemLookup: ~Copyable {
  func item(_ id: Identifier<CalendarItem>) throws -> CalendarItem?
  func items(uid: String) throws -> [CalendarItem]
}

extension StoreReader: ItemLookup {}

/// Saved and removed items that are not committed yet.
struct PendingItems: Sendable {
  private(set) var saved: [Identifier<CalendarItem>: CalendarItem] = [:]
  private(set) var removed: Set<Identifier<CalendarItem>> = []

  /// The kinds of items that are removed with their calendar.
  private var hidden: [Identifier<ItemCalendar>: ItemCalendar.Entities] = [:]

  var isEmpty: Bool { saved.isEmpty && removed.isEmpty && hidden.isEmpty }

  /// Records that items of these kinds are removed with their calendar.
  mutating func hide(_ entities: ItemCalendar.Entities, in calendar: Identifier<ItemCalendar>) {
    hidden[calendar, default: []].formUnion(entities)
  }

  /// True if an item is removed with its calendar.
  func isHidden(_ item: CalendarItem) -> Bool {
    hidden[item.calendar]?.contains(item.isEvent ? .events : .reminders) == true
  }

  /// True if an item was saved or removed, or is removed with its calendar.
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

  /// `items` with pending changes applied, and other pending items that match `condition`.
  func over(_ items: [CalendarItem], where condition: (CalendarItem) -> Bool) -> [CalendarItem] {
    if isEmpty { return items }
    return items.filter { saved[$0.id] == nil && !removed.contains($0.id) && !isHidden($0) }
      + saved.values.filter { condition($0) && !isHidden($0) }.sorted { $0.id < $1.id }
  }
}

/// The items of a store as one `EKEventStore` sees them, with pending changes.
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

/// A query for reminders.
struct ReminderQuery: Sendable {
  enum Kind: Sendable {
    case all
    case incomplete(from: Instant?, to: Instant?)
    case completed(from: Instant?, to: Instant?)
  }

  var kind: Kind
  /// The lists to search; `nil` for all.
  var calendars: [Identifier<ItemCalendar>]?
}

/// A predicate of an `EKEventStore`: a query of the store in the form that the API uses.
final class StorePredicate: NSPredicate {
  enum Query: Sendable {
    case events(Range<Instant>, calendars: [Identifier<ItemCalendar>]?)
    case reminders(ReminderQuery)
  }

  let query: Query
  let session: StoreSession

  init(_ query: Query, session: StoreSession) {
    self.query = query
    self.session = session
    super.init(value: true)
  }

  /// `nil`: a query belongs to its store and can't be archived.
  required init?(coder: NSCoder) { nil }

  override func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A running fetch of reminders.
final class FetchRequest: Sendable {
  private let isOver = Atomic(false)

  /// Ends it; true for the first caller.
  func end() -> Bool { !isOver.exchange(true, ordering: .acquiringAndReleasing) }
}

/// Carries a value that is not `Sendable` into a queue.
///
/// `@unchecked Sendable`: the sender does not use the value afterwards.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
}
