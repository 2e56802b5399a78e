import CalendarModel
import CalendarStore
import Testing

@Suite("Accounts as the command line shows them")
struct AccountStateTests {
  @Test("Items that the server refuses are named, with the reason")
  func refused() throws {
    let fixture = try CommandFixture()
    try fixture.openStore().write { writer in
      let source = Source(kind: .calDAV, title: "Server")
      try writer.save(source)
      let list = ItemCalendar(source: source.id, kind: .calDAV, title: "List", entities: .reminders)
      try writer.save(list)
      var account = SyncAccount(
        kind: .calDAV, address: "https://example.org", user: "anna", source: source.id)
      try writer.save(&account)
      var collection = SyncedCalendar(account: account.number, calendar: list.id, name: "/list/")
      try writer.save(&collection)
      for number in 1...5 {
        try writer.save(
          CalendarItem(
            calendar: list.id, uid: "\(number)", title: "Task \(number)",
            details: .reminder(ReminderDetails())))
        let refusal = SyncRefusal(
          uid: "\(number)", text: "text", reason: "too large", refused: Instant(seconds: 1_777_600_000))
        try writer.save(refusal, in: collection.number)
      }
    }
    let shown = fixture.run("accounts", "list").output
    #expect(
      shown.contains(
        "only here: 'Task 1' (too large), 'Task 2' (too large), 'Task 3' (too large), 2 more"), "\(shown)")
    let json = try object(try #require(fixture.run("accounts", "list", "--json").lines.first))
    let items = try #require(json["refused"] as? [[String: String]])
    #expect(items.map { $0["title"] } == (1...5).map { "Task \($0)" })
    #expect(
      items.first == [
        "uid": "1", "title": "Task 1", "reason": "too large", "since": "2026-05-01T01:46:40Z",
      ])
  }
}
