import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostTestSupport
import Testing

@testable import FencepostInterchange

@Suite struct MergeTests {
  @Test("an unchanged item is not written")
  func again() throws {
    let fixture = try MergeFixture()
    let file = calendar(
      todo("a", "A", "DTSTAMP:20260101T000000Z", "X-OTHER:1", "BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM"),
      todo("b", "B"))
    #expect(text(try fixture.merge(file)) == "2 added")
    let last = try fixture.lastChange()
    #expect(text(try fixture.merge(file)) == "2 unchanged")
    #expect(try fixture.lastChange() == last)
  }

  @Test("a new stamp alone is no change, because some programs write the time of the export")
  func stamps() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(todo("a", "A", "DTSTAMP:20260101T000000Z")))
    let last = try fixture.lastChange()
    let again = calendar(
      todo("a", "A", "DTSTAMP:20260201T000000Z", "LAST-MODIFIED:20260201T000000Z"))
    #expect(text(try fixture.merge(again)) == "1 unchanged")
    #expect(try fixture.lastChange() == last)
  }

  /// The winning revision of two.
  struct Revisions: Sendable, CustomTestStringConvertible {
    var here: [String]
    var file: [String]
    var outcome: String
    var testDescription: String { "\(here) then \(file): \(outcome)" }
  }

  @Test(
    "the later revision stays",
    arguments: [
      Revisions(here: [], file: [], outcome: "1 updated"),
      Revisions(here: ["SEQUENCE:2"], file: ["SEQUENCE:1"], outcome: "1 older"),
      Revisions(here: ["SEQUENCE:1"], file: ["SEQUENCE:2"], outcome: "1 updated"),
      Revisions(here: ["SEQUENCE:1"], file: [], outcome: "1 older"),
      Revisions(
        here: ["SEQUENCE:1", "LAST-MODIFIED:20260102T000000Z"],
        file: ["SEQUENCE:2", "LAST-MODIFIED:20260101T000000Z"], outcome: "1 updated"),
      Revisions(
        here: ["LAST-MODIFIED:20260102T000000Z"], file: ["LAST-MODIFIED:20260101T235959Z"],
        outcome: "1 older"),
      Revisions(
        here: ["LAST-MODIFIED:20260102T000000Z"], file: ["LAST-MODIFIED:20260102T000000Z"],
        outcome: "1 updated"),
      Revisions(
        here: ["DTSTAMP:20260102T000000Z"], file: ["DTSTAMP:20260101T000000Z"], outcome: "1 older"),
      Revisions(
        here: ["LAST-MODIFIED:20260102T000000Z"], file: ["DTSTAMP:20260101T000000Z"], outcome: "1 older"),
      // LAST-MODIFIED belongs to the item, DTSTAMP to the copy.
      Revisions(
        here: ["LAST-MODIFIED:20260102T000000Z", "DTSTAMP:20260102T000000Z"],
        file: ["LAST-MODIFIED:20260101T000000Z", "DTSTAMP:20260109T000000Z"], outcome: "1 older"),
      Revisions(here: ["LAST-MODIFIED:20260102T000000Z"], file: [], outcome: "1 older"),
      Revisions(here: [], file: ["DTSTAMP:20260102T000000Z"], outcome: "1 updated"),
    ])
  func later(_ revisions: Revisions) throws {
    func file(_ title: String, _ lines: [String]) -> String {
      calendar(
        (["BEGIN:VTODO", "UID:a", "SUMMARY:\(title)"] + lines + ["END:VTODO"]).joined(separator: "\n"))
    }
    let fixture = try MergeFixture()
    try fixture.merge(file("here", revisions.here))
    #expect(text(try fixture.merge(file("file", revisions.file))) == revisions.outcome)
    #expect(try fixture.item("a")?.title == (revisions.outcome == "1 older" ? "here" : "file"))
  }

  @Test("a change within the second of the export is not later")
  func fractions() throws {
    let fixture = try MergeFixture()
    var item = CalendarItem(calendar: fixture.list.id, title: "A", details: .reminder(ReminderDetails()))
    item.created = Instant(microseconds: 1_777_000_000_400_000)
    let done = Instant(microseconds: 1_777_000_000_900_000)
    item.lastModified = done
    item.reminder?.isCompleted = true
    item.reminder?.completed = done
    item.alarms = [Alarm(trigger: .absolute(Instant(microseconds: 1_777_000_100_000_001)), message: "A")]
    try fixture.store.write { try $0.save(item) }
    let written = ICalendarWriter().text(of: ICalendarDocument(items: [item]))
    #expect(text(try fixture.merge(written)) == "1 unchanged")
    #expect(try fixture.item(item.uid) == item)
  }

  @Test("an exported file is unchanged when it is imported again", arguments: UInt64(1)...60)
  func exported(seed: UInt64) throws {
    let fixture = try MergeFixture()
    var random = RandomModel(seed: seed)
    // Start with a file, because the store can hold values that no file can represent.
    let drawn = (0..<6).map { index in
      var item = random.item(in: fixture.list.id)
      item.uid = "uid-\(index)"
      // The writer changes invalid parameters until they are valid.
      item.structuredLocation?.preservedParameters = ["X-APPLE-REFERENCEFRAME=1"]
      for alarm in item.alarms.indices { item.alarms[alarm].proximity?.location.preservedParameters = [] }
      return item
    }
    try fixture.merge(ICalendarWriter().text(of: ICalendarDocument(items: drawn)))
    let items = try fixture.store.read { try $0.items() }
    #expect(items.count == drawn.count, "seed \(seed)")
    let last = try fixture.lastChange()
    let counts = try fixture.merge(ICalendarWriter().text(of: ICalendarDocument(items: items)))
    #expect(text(counts) == "\(items.count) unchanged", "seed \(seed)")
    #expect(try fixture.lastChange() == last, "seed \(seed)")
  }

  @Test(
    "broken lines come back as they are",
    arguments: [
      "STATUS:COMPLETED;X\nCOMPLETED:20260101T000000Z", "STATUS:DONE",
      "ATTENDEE;CN=Ann;X-FENCEPOST-CURRENT-USER=TRUE;;[x:\nATTENDEE;CN=Bob:mailto:bob@example.org",
      "ORGANIZER;CN=Ann;PARTSTAT=COMPLETED;\"x;;y\"\";ROLE=CHAIR:mailto:ann@example.org",
      "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:PT5MX\nEND:VALARM",
      "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER;VALUE=DATE-TIME:20260101T000000ZX\nEND:VALARM",
      "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT5M\nDESCRIPTION:\nEND:VALARM",
      "BEGIN:VALARM\nACTION:EMAIL\nTRIGGER:-PT5M\nDESCRIPTION:\nSUMMARY:\nATTENDEE:mailto:a@b\nEND:VALARM",
    ])
  func broken(lines: String) throws {
    let fixture = try MergeFixture()
    let todo = "BEGIN:VTODO\nUID:a\nSUMMARY:Milk\nDUE:20260501T090000Z\n\(lines)\nEND:VTODO"
    #expect(text(try fixture.merge(calendar(todo))) == "1 added")
    let item = try #require(try fixture.item("a"))
    let written = ICalendarWriter().text(of: ICalendarDocument(items: [item]))
    let (last, counts) = (try fixture.lastChange(), try fixture.merge(written))
    #expect(text(counts) == "1 unchanged", "\(written)")
    #expect(try fixture.lastChange() == last && fixture.item("a") == item)
  }

  @Test("a series and its detached occurrences are separate items")
  func detached() throws {
    let fixture = try MergeFixture()
    func event(_ title: String, _ line: String) -> String {
      "BEGIN:VEVENT\nUID:s\nSUMMARY:\(title)\nDTSTART:20260105T090000Z\n\(line)\nEND:VEVENT"
    }
    let file = calendar(
      event("Series", "RRULE:FREQ=DAILY"), event("Once", "RECURRENCE-ID:20260107T090000Z"))
    #expect(text(try fixture.merge(file)) == "2 added")
    #expect(text(try fixture.merge(file)) == "2 unchanged")
    let other = calendar(event("Other", "RECURRENCE-ID:20260107T090000Z"))
    #expect(text(try fixture.merge(other)) == "1 updated")
    #expect(try fixture.store.read { try $0.items(uid: "s") }.map(\.title) == ["Series", "Other"])
  }

  /// The time must be linear, not quadratic.
  @Test("very many detached occurrences, and very many changed alarms, are merged quickly")
  func many() throws {
    let fixture = try MergeFixture()
    func file(_ title: String, _ minutes: Int) -> String {
      let events = (0..<3_000).map { index in
        let day = CivilDay(year: 2026, month: 1, day: 1).adding(days: index).description.filter { $0 != "-" }
        return "BEGIN:VEVENT\nUID:s\nSUMMARY:\(title)\nDTSTART:\(day)T090000Z\n"
          + "RECURRENCE-ID:\(day)T080000Z\nEND:VEVENT"
      }
      // The maximum for an item.
      let alarms = (0..<1_000).map {
        "BEGIN:VALARM\nTRIGGER:-PT\($0 * 3 + minutes)M\nACTION:DISPLAY\nEND:VALARM"
      }
      let todo = ["BEGIN:VTODO\nUID:a\nDUE:20260101T000000Z"] + alarms + ["END:VTODO"]
      return calendar((events + todo).joined(separator: "\n"))
    }
    #expect(text(try fixture.merge(file("A", 1))) == "3001 added")
    #expect(text(try fixture.merge(file("A", 1))) == "3001 unchanged")
    #expect(text(try fixture.merge(file("B", 2))) == "3001 updated")
    #expect(try fixture.item("a")?.alarms.count == 1_000)
  }

  @Test("pruning removes the items that the file lacks, from one list only")
  func pruning() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(todo("a", "A"), todo("b", "B", "SEQUENCE:3"), todo("c", "C")))
    let other = try fixture.store.write { writer in
      let other = try writer.list("Other")
      try writer.save(CalendarItem(calendar: other.id, title: "D", details: .reminder(ReminderDetails())))
      return other
    }
    let counts = try fixture.merge(calendar(todo("a", "A"), todo("b", "older")), .move, prunes: true)
    #expect(text(counts) == "1 unchanged, 1 older, 1 removed")
    #expect(try fixture.item("c") == nil)
    #expect(try fixture.store.read { try $0.items(in: other.id) }.count == 1)
  }

  @Test("items stay in their list, or move into the given one")
  func lists() throws {
    let fixture = try MergeFixture()
    let other = try fixture.store.write { try $0.list("Other") }
    try fixture.merge(calendar(todo("a", "A", "SEQUENCE:1")))
    try fixture.store.write { writer in
      var item = try #require(try writer.reader.items(uid: "a").first)
      item.calendar = other.id
      try writer.save(item)
    }
    #expect(text(try fixture.merge(calendar(todo("a", "A2", "SEQUENCE:2")))) == "1 updated")
    #expect(try fixture.item("a")?.calendar == other.id)
    // An older revision moves the item, but does not change its content.
    #expect(text(try fixture.merge(calendar(todo("a", "A")), .move)) == "1 updated")
    #expect(try fixture.item("a")?.calendar == fixture.list.id)
    #expect(try fixture.item("a")?.title == "A2")
  }

  @Test("a subscription has its own copy")
  func copies() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(todo("a", "mine")))
    let subscribed = try fixture.store.write { writer in
      var list = try writer.list("Subscribed")
      list.allowsContentModifications = false
      try writer.save(list)
      return list
    }
    #expect(text(try fixture.merge(calendar(todo("a", "theirs")), .only(subscribed.id))) == "1 added")
    #expect(text(try fixture.merge(calendar(todo("a", "theirs")), .only(subscribed.id))) == "1 unchanged")
    // The subscription's content wins, even over a later answer here.
    try fixture.store.write { writer in
      var item = try #require(try writer.reader.items(in: subscribed.id).first)
      item.lastModified = .distantFuture
      try writer.save(item)
    }
    #expect(text(try fixture.merge(calendar(todo("a", "theirs")), .only(subscribed.id))) == "1 unchanged")
    #expect(text(try fixture.merge(calendar(todo("a", "theirs 2")), .only(subscribed.id))) == "1 updated")
    #expect(text(try fixture.merge(calendar(todo("a", "mine 2")))) == "1 updated")
    let titles = try fixture.store.read { try $0.items(uid: "a") }.map(\.title)
    #expect(titles == ["mine 2", "theirs 2"])
  }

  @Test("an identifier of another item is not taken over")
  func identifiers() throws {
    let fixture = try MergeFixture()
    try fixture.store.write { writer in
      try writer.save(
        CalendarItem(
          id: Identifier(rawValue: "a"), calendar: fixture.list.id, uid: "other", title: "Other",
          details: .reminder(ReminderDetails())))
    }
    #expect(text(try fixture.merge(calendar(todo("a", "A")))) == "1 added")
    #expect(text(try fixture.merge(calendar(todo("a", "A")))) == "1 unchanged")
    #expect(try fixture.item("other")?.title == "Other")
  }

  @Test("a dry run in a copy changes nothing and reports the same")
  func dryRun() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(todo("a", "A")))
    let last = try fixture.lastChange()
    let merge = SteppedMerge(
      CalendarMerge(only: fixture.list.id, prunes: true, at: .epoch),
      into: try CalendarStore(copyOf: fixture.store))
    for uid in ["b", "c"] {
      try merge.apply(
        .item(
          CalendarItem(
            id: Identifier(rawValue: uid), calendar: fixture.list.id, uid: uid, title: uid,
            details: .reminder(ReminderDetails()))))
    }
    #expect(text(try merge.finish(pruning: { _ in [fixture.list.id] })) == "2 added, 1 removed")
    #expect(try fixture.lastChange() == last)
    #expect(try fixture.item("a") != nil)
    #expect(try fixture.item("b") == nil)
  }
}
