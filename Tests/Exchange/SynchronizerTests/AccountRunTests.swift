import FencepostCalDAVClient
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import Testing

@testable import FencepostSynchronizer

@Suite struct AccountRunTests {
  let server = MemoryAccount()
  let one: AccountDevice
  let other: AccountDevice

  init() throws {
    one = try AccountDevice()
    other = try AccountDevice()
    server.add("/first/", "First")
    server.add("/second/", "Second")
    for device in [one, other] { try device.sync(server) }
  }

  private func add(_ title: String, to list: String, _ device: AccountDevice) throws {
    let list = try #require(try device.list(list))
    try device.save(
      CalendarItem(calendar: list.id, uid: title, title: title, details: .reminder(ReminderDetails())))
  }

  private func move(_ uid: String, to list: String, _ device: AccountDevice) throws {
    let list = try #require(try device.list(list))
    for var item in try device.items where item.uid == uid {
      item.calendar = list.id
      try device.save(item)
    }
  }

  private func note(_ notes: String, on uid: String, _ device: AccountDevice) throws {
    var item = try #require(try device.items.first { $0.uid == uid })
    item.notes = notes
    try device.save(item)
  }

  private func quiet() throws {
    for _ in 0..<3 { for device in [one, other] { try device.sync(server) } }
    for device in [one, other] { #expect(try device.sync(server) == SyncCounts()) }
    #expect(try one.texts.keys.sorted() == other.texts.keys.sorted())
    for (title, text) in try one.texts {
      #expect(ObjectText.isSame(text, try other.texts[title] ?? ""), "\(title)")
    }
  }

  @Test func aListThatIsRemovedHereIsRemovedThere() throws {
    try add("Milk", to: "Second", one)
    try quiet()
    try one.removeList(try #require(try one.list("Second")).id)
    #expect(try one.sync(server).pushed == 1)
    #expect(server.lists.keys.sorted() == ["/first/"])
    #expect(try other.sync(server).waitingRemovals == 1)
    try other.sync(server, agreeing: true)
    try quiet()
    #expect(try other.lists.map(\.title) == ["First"])
  }

  @Test func aListThatTheServerKeepsComesBackAndSoDoesOneThatChangedThere() throws {
    try add("Milk", to: "Second", one)
    try quiet()
    server.removesLists = false
    try one.removeList(try #require(try one.list("Second")).id)
    let counts = try one.sync(server)
    #expect(counts.returned == ["Second"])
    #expect(counts.failed == 1)
    #expect(try one.items.map(\.title) == ["Milk"])
    server.removesLists = true
    try note("2 litres", on: "Milk", other)
    try other.sync(server)
    try one.removeList(try #require(try one.list("Second")).id)
    #expect(try one.sync(server).returned == ["Second"])
    try quiet()
    #expect(try one.items.map(\.notes) == ["2 litres"])
  }

  @Test func aListThatIsGoneThereAndChangedHereIsMadeAgain() throws {
    try add("Milk", to: "Second", one)
    try quiet()
    try one.removeList(try #require(try one.list("Second")).id)
    try one.sync(server)
    try note("2 litres", on: "Milk", other)
    #expect(try other.sync(server).waitingRemovals == 1)
    try other.sync(server, agreeing: true)
    try quiet()
    #expect(try one.items.map(\.notes) == ["2 litres"])
  }

  @Test func anItemThatMovesOnOneSideAndChangesOnTheOtherIsThereOnce() throws {
    try add("Milk", to: "First", one)
    try quiet()
    for (mover, changer, target) in [(one, other, "Second"), (other, one, "First")] {
      try move("Milk", to: target, mover)
      try note(target, on: "Milk", changer)
      try mover.sync(server)
      try quiet()
      let list = try #require(try one.list(target))
      #expect(try one.items.map(\.calendar) == [list.id])
      #expect(try one.items.map(\.notes) == [target])
      // The other order: the change is there first.
      try move("Milk", to: target == "First" ? "Second" : "First", mover)
      try note("\(target) again", on: "Milk", changer)
      try changer.sync(server)
      try quiet()
      #expect(try other.items.map(\.notes) == ["\(target) again"])
      #expect(server.lists.values.map(\.server.objects.count).reduce(0, +) == 1)
      try move("Milk", to: target, mover)
      try quiet()
    }
  }

  @Test func aMoveOfMostOfAListNeedsNoQuestion() throws {
    for number in 0..<15 { try add("Item \(number)", to: "First", one) }
    try quiet()
    for number in 0..<15 { try move("Item \(number)", to: "Second", one) }
    #expect(try one.sync(server).waitingDeletions == 0)
    #expect(try other.sync(server).waitingRemovals == 0)
    try quiet()
    #expect(server.lists["/second/"]?.server.objects.count == 15)
  }

  @Test func twoListsOfTheSameNameAreBothThere() throws {
    let list = try one.addList("First")
    try one.save(
      CalendarItem(calendar: list.id, uid: "a", title: "Milk", details: .reminder(ReminderDetails())))
    try quiet()
    #expect(server.lists.values.map(\.title).sorted() == ["First", "First", "Second"])
    #expect(try other.items.count == 1)
  }

  @Test func aLostValueCanBeTakenBack() throws {
    try add("Milk", to: "First", one)
    try quiet()
    try note("1 litre", on: "Milk", one)
    try one.sync(server)
    other.clock = one.clock.adding(seconds: 60)
    try note("2 litres", on: "Milk", other)
    #expect(try other.sync(server).conflicts == 1)
    try quiet()
    let account = try #require(try other.store.read { try $0.syncAccounts() }.first)
    let (calendar, conflict) = try #require(
      try other.store.read { try $0.syncConflicts(of: account.number) }.first)
    let restorer = ConflictRestorer(at: other.clock.adding(seconds: 60))
    try other.store.write { try restorer.restore(conflict, in: calendar, with: $0) }
    try quiet()
    #expect(try one.items.map(\.notes) == ["1 litre"])
    #expect(try other.store.read { try $0.syncConflicts(of: account.number) }.isEmpty)
    #expect(throws: SyncFailure.self) {
      try other.store.write { try restorer.restore(conflict, in: calendar, with: $0) }
    }
  }

  @Test func aListThatFailsStopsNoOther() throws {
    try add("Milk", to: "First", one)
    try add("Bread", to: "Second", one)
    server.lists["/first/"]?.server.put("x.ics", "")
    server.lists["/first/"]?.server.habits.isDown = true
    #expect(throws: DAVFailure.self) { try one.sync(server) }
    #expect(server.lists.mapValues(\.server.objects.count) == ["/first/": 1, "/second/": 1])
    server.lists["/first/"]?.server.habits.isDown = false
    server.lists["/first/"]?.server.remove("x.ics")
    try quiet()
    #expect(try other.items.count == 2)
  }

  @Test func aListThatComesBackFromAnotherStoreIsNotTaken() throws {
    let (own, copied) = (try one.addList("Own"), try #require(try one.list("First")))
    server.origins = ["/own/": own.id.rawValue, "/copied/": "elsewhere", "/first/": "elsewhere"]
    try one.sync(server)
    server.add("/own/", "Own again")
    server.add("/copied/", "First again")
    for _ in 1...2 { try one.sync(server) }
    #expect(try one.lists.map(\.title) == ["First", "Own", "Second"])
    #expect(try one.store.read { try $0.syncedCalendar(of: copied.id) }?.origin == "elsewhere")
  }

  @Test func aListFollowsTheKindsOfTheServer() throws {
    #expect(try one.list("First")?.entities == [.events, .reminders])
    server.kinds = .reminders
    try one.sync(server)
    #expect(try one.list("First")?.entities == .reminders)
  }
}
