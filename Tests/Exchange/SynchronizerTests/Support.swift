import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostReconciliation
import Testing

@testable import FencepostSynchronizer

/// A store with one list that is synchronized with a ``MemoryServer``.
final class Device {
  let store: CalendarStore
  let list: ItemCalendar
  let account: SyncAccount
  var clock: Instant

  init(_ store: CalendarStore? = nil, clock: Instant = Instant(seconds: 1_800_000_000)) throws {
    let store = try store ?? CalendarStore()
    self.store = store
    self.clock = clock
    (list, account) = try store.write { writer in
      let source = Source(kind: .calDAV, title: "Server")
      try writer.save(source)
      let list = ItemCalendar(
        source: source.id, kind: .calDAV, title: "List", entities: [.events, .reminders])
      try writer.save(list)
      var account = SyncAccount(kind: .calDAV, address: "memory", source: source.id)
      try writer.save(&account)
      var collection = SyncedCalendar(account: account.number, calendar: list.id, name: "/list/")
      try writer.save(&collection)
      return (list, account)
    }
  }

  var collection: SyncedCalendar {
    get throws { try #require(try store.read { try $0.syncedCalendar(of: list.id) }) }
  }

  @discardableResult
  func sync(_ server: MemoryServer, options: SyncOptions = SyncOptions()) throws -> SyncCounts {
    let sync = CollectionSync(
      store: store, peer: server, collection: try collection, isWritable: true, options: options, now: clock)
    try sync.run()
    return sync.counts
  }

  var items: [CalendarItem] { get throws { try store.read { try $0.items(in: list.id) } } }

  /// The items as a file, without what each store has for itself.
  var text: String {
    get throws {
      let items = try items.sorted {
        ($0.uid, "\($0.detachment as Any)") < ($1.uid, "\($1.detachment as Any)")
      }
      return ObjectText.text(of: items, zones: [])
    }
  }

  func item(_ uid: String) throws -> CalendarItem? {
    try items.first { $0.uid == uid && $0.detachment == nil }
  }

  /// Changes an item as a command does.
  func change(_ uid: String, _ body: (inout CalendarItem) -> Void) throws {
    guard var item = try item(uid) else { return }
    body(&item)
    clock = clock.adding(seconds: 60)
    item.lastModified = clock
    _ = try store.write { try $0.save(item) }
  }

  func remove(_ uid: String) throws {
    for item in try items where item.uid == uid { _ = try store.write { try $0.remove(item.id) } }
  }

  @discardableResult
  func add(_ uid: String, _ title: String, _ body: (inout CalendarItem) -> Void = { _ in }) throws
    -> CalendarItem
  {
    var item = CalendarItem(
      id: .init(rawValue: uid), calendar: list.id, uid: uid, title: title,
      details: .reminder(ReminderDetails()))
    clock = clock.adding(seconds: 60)
    item.created = clock
    item.lastModified = clock
    body(&item)
    _ = try store.write { try $0.save(item) }
    return item
  }
}
