import FencepostCalendarModel
import FencepostCalendarStore
import Testing

@Suite struct SynchronizationTests {
  private let store: CalendarStore
  private let list: ItemCalendar
  private var account: SyncAccount
  private var collection: SyncedCalendar

  init() throws {
    let store = try CalendarStore()
    self.store = store
    (list, account, collection) = try store.write { writer in
      let source = Source(kind: .calDAV, title: "Server")
      try writer.save(source)
      let list = ItemCalendar(source: source.id, kind: .calDAV, title: "List", entities: .reminders)
      try writer.save(list)
      var account = SyncAccount(
        kind: .calDAV, address: "https://example.org", user: "anna", source: source.id)
      try writer.save(&account)
      var collection = SyncedCalendar(account: account.number, calendar: list.id, name: "/list/")
      try writer.save(&collection)
      return (list, account, collection)
    }
  }

  @Test func whatIsSavedComesBack() throws {
    var (account, collection) = (account, collection)
    account.home = "https://example.org/home/"
    account.failures = 3
    account.failure = "no answer"
    account.next = Instant(seconds: 100)
    collection.token = "t"
    collection.changeTag = "c"
    collection.title = "List"
    collection.color = "#FF0000"
    collection.compared = 7
    collection.waitingRemovals = 2
    collection.waitingDeletions = 1
    let object = SyncedObject(name: "/list/a.ics", uid: "a", tag: "\"1\"", base: "base", local: "local")
    let conflict = SyncConflict(
      uid: "a", title: "Milk", occurrence: nil, property: "SUMMARY", loser: "remote", kept: ["SUMMARY:x"],
      lost: [],
      found: Instant(seconds: 5))
    let refusal = SyncRefusal(
      uid: "b", text: "text", reason: "too large", refused: Instant(seconds: 1_800_000_000))
    try store.write { writer in
      try writer.save(&account)
      try writer.save(&collection)
      try writer.save(object, in: collection.number)
      try writer.add(conflict, in: collection.number)
      try writer.save(refusal, in: collection.number)
    }
    try store.read { reader throws in
      #expect(try reader.syncAccounts() == [account])
      #expect(try reader.syncedCalendars(of: account.number) == [collection])
      #expect(try reader.syncedCalendar(of: list.id) == collection)
      #expect(try reader.syncedObject(named: object.name, in: collection.number) == object)
      #expect(try reader.syncedObject(uid: "a", in: collection.number) == object)
      #expect(try reader.syncedObjectTags(in: collection.number).map(\.tag) == ["\"1\""])
      var saved = try reader.syncConflicts(of: account.number).map(\.conflict)
      #expect(saved.map(\.number) == [1])
      for index in saved.indices { saved[index].number = 0 }
      #expect(saved == [conflict])
      #expect(try reader.syncRefusals(in: collection.number) == [refusal])
    }
    try store.write { writer in
      try writer.removeSyncRefusal(uid: "b", in: collection.number)
      try writer.removeSyncedObject(named: object.name, in: collection.number)
      try writer.removeSyncConflicts(of: account.number)
    }
    try store.read { reader throws in
      #expect(try reader.syncRefusals(in: collection.number).isEmpty)
      #expect(try reader.syncedObjectTags(in: collection.number).isEmpty)
      #expect(try reader.syncConflicts(of: account.number).isEmpty)
    }
  }

  @Test func aRemovedCalendarAndSourceTakeWhatIsKnownOfThemAlong() throws {
    let object = SyncedObject(name: "a", uid: "a", tag: nil, base: "")
    try store.write { try $0.save(object, in: collection.number) }
    try store.write { _ = try $0.remove(list.id) }
    try store.read { reader throws in
      #expect(try reader.syncedCalendars(of: account.number).isEmpty)
      #expect(try reader.syncedObjectTags(in: collection.number).isEmpty)
      #expect(try reader.syncAccounts() == [account])
    }
    let source = try #require(account.source)
    try store.write { _ = try $0.remove(source) }
    #expect(try store.read { try $0.syncAccounts() }.isEmpty)
  }

  @Test func ofConflictsTheLatestThousandAreKept() throws {
    try store.write { writer in
      for number in 0..<1_010 {
        let conflict = SyncConflict(
          uid: "\(number)", title: "", occurrence: nil, property: "", loser: "local", kept: [], lost: [],
          found: .epoch)
        try writer.add(conflict, in: collection.number)
      }
    }
    let kept = try store.read { try $0.syncConflicts(of: account.number) }.map(\.conflict.uid)
    #expect((kept.count, kept.first, kept.last) == (1_000, "1009", "10"))
  }
}
