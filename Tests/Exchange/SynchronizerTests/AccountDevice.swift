import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar

@testable import FencepostSynchronizer

/// A store with an account of which a ``MemoryAccount`` is the server.
final class AccountDevice {
  let store: CalendarStore
  let source: Source
  private let account: SyncAccount
  var clock = Instant(seconds: 1_800_000_000)

  init() throws {
    store = try CalendarStore()
    (source, account) = try store.write { writer in
      let source = Source(kind: .calDAV, title: "Server")
      try writer.save(source)
      var account = SyncAccount(kind: .calDAV, address: "memory", source: source.id)
      try writer.save(&account)
      return (source, account)
    }
  }

  @discardableResult
  func sync(
    _ server: MemoryAccount, agreeing: Bool = false, pushes: SyncOptions.Pushes = .asBefore
  ) throws -> SyncCounts {
    var options = SyncOptions()
    options.pushes = pushes
    options.allowsLargeRemovals = agreeing
    var learned = ServerCapabilities()
    return try AccountRun(
      store: store, account: account, source: source.id, home: server, options: options, now: clock
    ).run(learning: &learned)
  }

  var lists: [ItemCalendar] {
    get throws {
      try store.read { try $0.calendars(of: source.id) }.sorted {
        ($0.title, $0.id.rawValue) < ($1.title, $1.id.rawValue)
      }
    }
  }

  func list(_ title: String) throws -> ItemCalendar? { try lists.first { $0.title == title } }

  var items: [CalendarItem] {
    get throws { try lists.flatMap { list in try store.read { try $0.items(in: list.id) } } }
  }

  /// What the lists say, by their titles.
  var texts: [String: String] {
    get throws {
      var items: [String: [CalendarItem]] = [:]
      for list in try lists { items[list.title, default: []] += try store.read { try $0.items(in: list.id) } }
      let texts = items.mapValues { items in
        let sorted = items.sorted {
          ($0.uid, "\($0.detachment as Any)") < ($1.uid, "\($1.detachment as Any)")
        }
        return ObjectText.text(of: sorted, zones: [])
      }
      return texts
    }
  }

  @discardableResult
  func addList(_ title: String) throws -> ItemCalendar {
    let list = ItemCalendar(source: source.id, kind: .calDAV, title: title, entities: [.events, .reminders])
    try store.write { try $0.save(list) }
    return list
  }

  func removeList(_ id: Identifier<ItemCalendar>) throws { _ = try store.write { try $0.remove(id) } }

  /// Adds an item, or changes it, as a command does.
  func save(_ item: CalendarItem) throws {
    var item = item
    clock = clock.adding(seconds: 60)
    item.created = item.created ?? clock
    item.lastModified = clock
    _ = try store.write { try $0.save(item) }
  }

  func remove(_ uid: String) throws {
    for item in try items where item.uid == uid { _ = try store.write { try $0.remove(item.id) } }
  }
}
