import FencepostCalDAVClient
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostReconciliation
import Testing

@testable import FencepostSynchronizer

/// What is known of single objects: sent and not seen, unusable, there twice, refused.
@Suite struct ObjectStateTests {
  let server = MemoryServer()

  private func todo(_ uid: String, _ title: String) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:\(uid)\r\nDTSTAMP:20260101T000000Z\r\n"
      + "SUMMARY:\(title)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
  }

  @Test(arguments: [true, false]) func ofTwoObjectsOfOneUIDTheFirstIsTaken(hasTokens: Bool) throws {
    server.habits.hasNoTokens = !hasTokens
    let device = try Device()
    server.put("a.ics", todo("a", "Milk"))
    server.put("b.ics", todo("a", "Bread"))
    #expect(try device.sync(server).failed == 1)
    for _ in 1...2 { #expect(try device.sync(server) == SyncCounts()) }
    try device.change("a") { $0.title = "Oat milk" }
    #expect(try device.sync(server).pushed == 1)
    #expect(server.objects["b.ics"]?.text.contains("Bread") == true)
    #expect(try device.store.read { try $0.countOfLeftObjects(of: device.account.number) } == 1)
    // When the first is gone, the other one takes its place.
    server.remove("a.ics")
    try device.sync(server)
    #expect(try device.items.map(\.title) == ["Bread"])
    #expect(try device.sync(server) == SyncCounts())
    #expect(server.objects.keys.sorted() == ["b.ics"])
  }

  @Test(arguments: [true, false]) func anObjectThatIsNotGivenHoldsUpOnlyItself(hasTokens: Bool) throws {
    server.habits.hasNoTokens = !hasTokens
    let device = try Device()
    for uid in ["a", "b", "c"] { server.put("\(uid).ics", todo(uid, "Title of \(uid)")) }
    server.habits.hidden = ["a.ics"]
    let counts = try device.sync(server)
    #expect((counts.pulled, counts.failed) == (2, 1))
    func unread() throws -> [String] {
      try device.store.read { try $0.unreadObjects(of: device.account.number) }.map(\.name)
    }
    #expect(try unread() == ["a.ics"])
    // What is removed there goes here.
    server.remove("b.ics")
    #expect(try device.sync(server).failed == 1)
    #expect(try device.items.map(\.uid) == ["c"])
    // One that was here before: what is changed here waits.
    server.put("c.ics", todo("c", "Title of c, changed"))
    server.habits.hidden = ["a.ics", "c.ics"]
    try device.change("c") { $0.notes = "2 litres" }
    #expect(try device.sync(server).failed == 2)
    #expect(try device.sync(server).pushed == 0)
    #expect(try unread() == ["a.ics", "c.ics"])
    server.habits.hidden = []
    #expect(try device.sync(server).pushed == 1)
    #expect(try unread().isEmpty)
    #expect(Set(try device.items.map(\.title)) == ["Title of a", "Title of c, changed"])
    #expect(server.objects["c.ics"]?.text.contains("2 litres") == true)
    #expect(try device.sync(server) == SyncCounts())
  }

  @Test func anObjectThatIsNotGivenAndGoesIsForgotten() throws {
    let device = try Device()
    server.habits.hidden = ["a.ics"]
    server.put("a.ics", todo("a", "Milk"))
    try device.sync(server)
    server.remove("a.ics")
    try device.sync(server)
    #expect(try device.store.read { try $0.unreadObjects(of: device.account.number) }.isEmpty)
    #expect(try device.sync(server) == SyncCounts())
  }

  @Test func anObjectThatWasRenamedThereAndChangedHereIsThereOnce() throws {
    let device = try Device()
    server.put("a.ics", todo("a", "Milk"))
    try device.sync(server)
    server.remove("a.ics")
    server.put("b.ics", todo("a", "Milk"))
    try device.change("a") { $0.notes = "2 litres" }
    try device.sync(server)
    #expect(server.objects.keys.sorted() == ["b.ics"])
    #expect(server.objects["b.ics"]?.text.contains("2 litres") == true)
    #expect(try device.sync(server) == SyncCounts())
  }

  @Test func aRemovedItemDoesNotComeBackIfTheServerOnlyWroteItAgain() throws {
    let device = try Device()
    server.put("a.ics", todo("a", "Milk"))
    try device.sync(server)
    server.put("a.ics", todo("a", "Milk").replacing("PRODID:x", with: "PRODID:y"))
    try device.remove("a")
    #expect(try device.sync(server).pushed == 1)
    #expect(try device.items.isEmpty)
    #expect(server.objects.isEmpty)
  }

  @Test func manyThatTheServerOnlyWroteAgainAreRemovedAfterAQuestion() throws {
    let device = try Device()
    for number in 0..<12 { try device.add("\(number)", "Item \(number)") }
    try device.sync(server)
    for (name, object) in server.objects { server.put(name, object.text) }
    for number in 0..<12 { try device.remove("\(number)") }
    for _ in 1...2 { #expect(try device.sync(server).waitingDeletions == 12) }
    #expect(server.objects.count == 12)
    #expect(try device.items.isEmpty)
  }

  @Test func theServerRewritesAnObjectWhileItIsDeleted() throws {
    let device = try Device()
    server.put("a.ics", todo("a", "Milk"))
    try device.sync(server)
    try device.remove("a")
    var isFirst = true
    server.interrupt = { [server] isDone in
      // After the listing.
      guard isDone, isFirst else { return }
      isFirst = false
      server.put("a.ics", todo("a", "Milk"))
    }
    try device.sync(server)
    #expect(server.objects.isEmpty)
    #expect(try device.items.isEmpty)
  }

  @Test func whatWasSentAndNotSeenIsSentAgainAfterAnInterruption() throws {
    let device = try Device()
    try device.sync(server)
    try device.add("b", "Bread")
    server.interrupt = { [server] isDone in
      // After the upload, before it is read again.
      if !isDone, !server.objects.isEmpty { throw MemoryServer.Lost() }
    }
    #expect(throws: MemoryServer.Lost.self) { try device.sync(server) }
    server.interrupt = { _ in }
    server.remove("b.ics")
    try device.sync(server)
    #expect(try device.items.map(\.title) == ["Bread"])
    #expect(server.objects.keys.sorted() == ["b.ics"])
    #expect(try device.sync(server) == SyncCounts())
  }

  @Test func whatWasSentAndNotSeenIsSentAgainWithWhatChangedSince() throws {
    let device = try Device()
    try device.sync(server)
    try device.add("b", "Bread")
    server.interrupt = { [server] isDone in if !isDone, !server.objects.isEmpty { throw MemoryServer.Lost() }
    }
    #expect(throws: MemoryServer.Lost.self) { try device.sync(server) }
    server.interrupt = { _ in }
    try device.change("b") { $0.notes = "rye" }
    try device.sync(server)
    #expect(server.objects["b.ics"]?.text.contains("rye") == true)
  }

  @Test func aChangeOfAnotherAfterAnInterruptedUploadWithoutATagIsTaken() throws {
    server.habits.omitsTags = true
    let device = try Device()
    try device.sync(server)
    try device.add("b", "Bread")
    server.interrupt = { [server] isDone in if !isDone, !server.objects.isEmpty { throw MemoryServer.Lost() }
    }
    #expect(throws: MemoryServer.Lost.self) { try device.sync(server) }
    server.interrupt = { _ in }
    let text = try #require(server.objects["b.ics"]?.text)
    // In the same second.
    server.put("b.ics", text.replacing("SUMMARY:Bread", with: "SUMMARY:Rolls"))
    try device.sync(server)
    #expect(try device.item("b")?.title == "Rolls")
    #expect(try device.sync(server) == SyncCounts())
  }

  @Test func uidsAreEqualByTheirBytes() throws {
    let device = try Device()
    let (one, other) = ("caf\u{E9}", "cafe\u{301}")
    try device.add("1", "Milk") { $0.uid = one }
    try device.add("2", "Bread") { $0.uid = other }
    try device.sync(server)
    #expect(server.objects.count == 2)
    for item in try device.store.read({ try $0.items(uid: other) }) {
      _ = try device.store.write { try $0.remove(item.id) }
    }
    #expect(try device.sync(server).pushed == 1)
    #expect(server.objects.values.map { $0.text.contains("Milk") } == [true])
  }

  @Test func whatWasRefusedIsSentAgainAfterADay() throws {
    let device = try Device()
    try device.add("a", "Milk")
    server.habits.refused = ["a.ics"]
    #expect(try device.sync(server).failed == 1)
    server.habits.refused = []
    #expect(try device.sync(server) == SyncCounts())
    let refused = try device.store.read { try $0.refusedItems(of: device.account.number) }
    #expect(refused.map { "\($0.uid) \($0.title) \($0.calendar)" } == ["a Milk List"])
    #expect(refused.map(\.reason) == ["the server answered 403"])
    device.clock = device.clock.adding(seconds: 90_000)
    #expect(try device.sync(server).pushed == 1)
    #expect(try device.store.read { try $0.refusedItems(of: device.account.number) }.isEmpty)
  }

  /// As after kill -9: the server has done the work, and no answer comes.
  @Test(arguments: [true, false], [1, 2, 3, 4]) func aRunThatEndsBeforeItHasReadWhatItSentLosesNothing(
    isKept: Bool, number: Int
  ) throws {
    struct Killed: Error {}
    let device = try Device()
    func run() throws {
      var left = number
      server.habits.forgetsWrites = !isKept
      server.interrupt = { isDone in
        guard !isDone else { return }
        left -= 1
        if left <= 0 { throw Killed() }
      }
      do { try device.sync(server) } catch is Killed {}
      (server.habits.forgetsWrites, server.interrupt) = (false, { _ in })
      for _ in 1...3 { try device.sync(server) }
      #expect(try device.sync(server) == SyncCounts())
    }
    try device.add("a", "Milk")
    try run()
    #expect(try device.items.map(\.title) == ["Milk"])
    #expect(server.objects["a.ics"]?.text.contains("SUMMARY:Milk") == true)
    try device.change("a") { $0.title = "Oat milk" }
    try run()
    #expect(try device.items.map(\.title) == ["Oat milk"])
    #expect(server.objects.keys.sorted() == ["a.ics"])
    #expect(server.objects["a.ics"]?.text.contains("SUMMARY:Oat milk") == true)
    try device.remove("a")
    try run()
    #expect(try device.items.isEmpty)
    #expect(server.objects.isEmpty)
  }

  @Test func aRefusalGoesWithItsItem() throws {
    let device = try Device()
    try device.add("a", "Milk")
    server.habits.refused = ["a.ics"]
    try device.sync(server)
    try device.remove("a")
    device.clock = device.clock.adding(seconds: 90_000)
    #expect(try device.sync(server) == SyncCounts())
    let collection = try device.collection
    #expect(try device.store.read { try $0.syncRefusals(in: collection.number) }.isEmpty)
  }

  @Test func allObjectsAreComparedOnceAWeek() throws {
    let device = try Device()
    server.put("a.ics", todo("a", "Milk"))
    try device.sync(server)
    server.habits.hidesChanges = true
    server.put("a.ics", todo("a", "Oat milk"))
    #expect(try device.sync(server) == SyncCounts())
    device.clock = device.clock.adding(seconds: 8 * 86_400)
    #expect(try device.sync(server).pulled == 1)
    #expect(try device.item("a")?.title == "Oat milk")
  }

  @Test func anUnusableObjectThatIsGoneThereDoesNotTakeAChangeHereWithIt() throws {
    let device = try Device()
    server.put("a.ics", todo("a", "Milk"))
    try device.sync(server)
    server.put("a.ics", "no calendar")
    #expect(try device.sync(server).failed == 1)
    try device.change("a") { $0.notes = "2 litres" }
    #expect(try device.sync(server) == SyncCounts())
    server.remove("a.ics")
    try device.sync(server)
    #expect(try device.item("a")?.notes == "2 litres")
    #expect(server.objects["a.ics"]?.text.contains("2 litres") == true)
  }
}
