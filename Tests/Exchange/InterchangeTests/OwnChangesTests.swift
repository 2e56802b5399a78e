import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import Testing

@testable import FencepostInterchange

/// A later revision of an item that was changed here.
@Suite struct OwnChangesTests {
  private static let alarm = "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT15M\nEND:VALARM"

  private static func event(_ sequence: Int, _ lines: String..., alarms: String = alarm) -> String {
    (["BEGIN:VEVENT", "UID:m", "SEQUENCE:\(sequence)", "DTSTAMP:20260101T00000\(sequence)Z"] + lines
      + (alarms.isEmpty ? [] : [alarms]) + ["END:VEVENT"]).joined(separator: "\n")
  }

  private static let base = event(1, "SUMMARY:Meeting", "DTSTART:20260302T090000Z", "LOCATION:Room 1")

  private static func minutes(_ number: Int) -> Alarm {
    Alarm(trigger: .relative(CalendarDuration(seconds: -60 * number), to: .start))
  }

  /// The item after it arrived, was changed here, and arrived again.
  private func merged(
    _ file: String, from first: String = base, _ fixture: MergeFixture, _ change: (inout CalendarItem) -> Void
  ) throws -> CalendarItem {
    try fixture.merge(first)
    var item = try #require(try fixture.item("m"))
    change(&item)
    let changed = item
    try fixture.store.write { try $0.save(changed) }
    #expect(text(try fixture.merge(file)) == "1 updated")
    let after = try #require(try fixture.item("m"))
    // Once more, and nothing is written.
    let last = try fixture.lastChange()
    #expect(text(try fixture.merge(file)) == "1 unchanged")
    #expect(try fixture.lastChange() == last)
    return after
  }

  @Test(
    "an update of an invitation keeps local alarms",
    arguments: ["METHOD:REQUEST", "METHOD:PUBLISH", "X-OTHER:1"])
  func invitation(method: String) throws {
    let update = calendar(
      method, Self.event(2, "SUMMARY:Meeting", "DTSTART:20260302T100000Z", "LOCATION:Room 1", alarms: ""))
    let item = try merged(update, from: calendar(Self.base), MergeFixture()) {
      $0.alarms.append(Self.minutes(30))
    }
    #expect(item.alarms.map(\.trigger) == [Self.minutes(30).trigger])
    #expect(item.start == .utc(CivilDateTime(year: 2026, month: 3, day: 2, hour: 10)))
    #expect(item.sequence == 2)
  }

  @Test("a locally removed or moved alarm stays so, and a change of it in the file applies")
  func alarms() throws {
    let other = Self.alarm.replacing("15", with: "60")
    let first = calendar(Self.event(1, "DTSTART:20260302T090000Z", alarms: Self.alarm + "\n" + other))
    let again = calendar(Self.event(2, "DTSTART:20260302T090000Z", alarms: Self.alarm + "\n" + other))
    let removed = try merged(again, from: first, MergeFixture()) { $0.alarms.removeFirst() }
    #expect(removed.alarms.map(\.trigger) == [Self.minutes(60).trigger])
    let moved = try merged(again, from: first, MergeFixture()) {
      $0.alarms[0].trigger = Self.minutes(5).trigger
    }
    #expect(moved.alarms.map(\.trigger) == [5, 60].map { Self.minutes($0).trigger })
    let there = again.replacing("PT60M", with: "PT45M")
    let changed = try merged(there, from: first, MergeFixture()) { $0.alarms[0].acknowledged = .epoch }
    #expect(changed.alarms.map(\.trigger) == [15, 45].map { Self.minutes($0).trigger })
    #expect(changed.alarms.map(\.acknowledged) == [.epoch, nil])
  }

  @Test("local changes stay; if both changed a field, the file wins")
  func fields() throws {
    let file = calendar(
      Self.event(2, "SUMMARY:Retitled", "DTSTART:20260302T090000Z", "LOCATION:Room 2", "PRIORITY:1"))
    let item = try merged(file, from: calendar(Self.base), MergeFixture()) { item in
      item.title = "Mine"
      item.notes = "Bring cake"
      item.categories = ["Work"]
    }
    #expect(item.title == "Retitled" && item.location == "Room 2" && item.priority == 1)
    #expect(item.notes == "Bring cake" && item.categories == ["Work"])
  }

  @Test("local changes survive several revisions, and an older one")
  func several() throws {
    let fixture = try MergeFixture()
    let file = calendar(Self.event(2, "SUMMARY:Two", "DTSTART:20260302T090000Z", "LOCATION:Room 1"))
    _ = try merged(file, from: calendar(Self.base), fixture) { $0.notes = "Mine" }
    #expect(text(try fixture.merge(calendar(Self.base))) == "1 older")
    try fixture.merge(
      calendar(Self.event(3, "SUMMARY:Three", "DTSTART:20260302T090000Z", "LOCATION:Room 1", alarms: "")))
    let item = try #require(try fixture.item("m"))
    #expect(item.title == "Three" && item.notes == "Mine" && item.alarms.isEmpty)
    // From now on the notes come from the file.
    try fixture.merge(
      calendar(Self.event(4, "SUMMARY:Three", "DTSTART:20260302T090000Z", "DESCRIPTION:Theirs")))
    try fixture.merge(calendar(Self.event(5, "SUMMARY:Three", "DTSTART:20260302T090000Z")))
    #expect(try fixture.item("m")?.notes == nil)
  }

  @Test("a revision from before a local change is merged; if both changed a field, the later change wins")
  func between() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.base))
    var item = try #require(try fixture.item("m"))
    item.title = "Mine"
    item.alarms[0].acknowledged = Instant(seconds: 1_777_000_000)
    item.lastModified = Instant(seconds: 1_777_000_000)
    let changed = item
    try fixture.store.write { try $0.save(changed) }
    // The same SEQUENCE as here, and a DTSTAMP between arrival and change.
    let stamp = ("DTSTAMP:20260101T000001Z", "DTSTAMP:20260102T000000Z")
    let file = calendar(
      Self.event(1, "SUMMARY:Theirs", "DTSTART:20260302T090000Z", "LOCATION:Room 2")
        .replacing(stamp.0, with: stamp.1))
    #expect(text(try fixture.merge(file)) == "1 updated")
    let after = try #require(try fixture.item("m"))
    #expect(after.title == "Mine" && after.location == "Room 2")
    #expect(after.alarms.map(\.acknowledged) == changed.alarms.map(\.acknowledged))
    #expect(text(try fixture.merge(file)) == "1 unchanged")
    #expect(text(try fixture.merge(calendar(Self.base))) == "1 older")
  }

  @Test("a locally completed reminder stays completed, whatever else changes")
  func completed() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(todo("m", "A", "SEQUENCE:1")))
    var item = try #require(try fixture.item("m"))
    item.reminder?.isCompleted = true
    item.reminder?.completed = Instant(seconds: 1_777_000_000)
    let done = item
    try fixture.store.write { try $0.save(done) }
    #expect(text(try fixture.merge(calendar(todo("m", "B", "SEQUENCE:2")))) == "1 updated")
    #expect(try fixture.item("m")?.title == "B")
    #expect(try fixture.item("m")?.reminder?.isCompleted == true)
  }

  @Test("an item that was created here and changed elsewhere keeps later local changes")
  func madeHere() throws {
    let fixture = try MergeFixture()
    let item = CalendarItem(
      id: Identifier(rawValue: "m"), calendar: fixture.list.id, title: "Mine",
      details: .reminder(ReminderDetails()))
    try fixture.store.write { try $0.save(item) }
    try fixture.merge(calendar(todo("m", "Theirs", "SEQUENCE:1")))
    var later = try #require(try fixture.item("m"))
    later.alarms = [Alarm(trigger: .absolute(Instant(seconds: 1_777_000_000)))]
    let changed = later
    try fixture.store.write { try $0.save(changed) }
    try fixture.merge(calendar(todo("m", "Theirs again", "SEQUENCE:2")))
    #expect(try fixture.item("m")?.title == "Theirs again")
    #expect(try fixture.item("m")?.alarms == later.alarms)
  }

  @Test("the owner of a subscription decides")
  func subscription() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.base), .only(fixture.list.id))
    var item = try #require(try fixture.item("m"))
    item.title = "Mine"
    let changed = item
    try fixture.store.write { try $0.save(changed) }
    try fixture.merge(calendar(Self.base), .only(fixture.list.id))
    #expect(try fixture.item("m")?.title == "Meeting")
    #expect(try fixture.store.read { try $0.received(changed.id) } == nil)
  }
}
