import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import Testing

@testable import FencepostInterchange

/// The store keeps the state of an alarm under its number, which follows its identifier.
@Suite struct AlarmMergeTests {
  private static let home =
    "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z\n"
    + "X-APPLE-PROXIMITY:ARRIVE\nX-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=100;"
    + "X-TITLE=Home:geo:52.5,13.4\nEND:VALARM"
  private static func before(_ minutes: Int, _ lines: String = "") -> String {
    "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT\(minutes)M\n\(lines)END:VALARM"
  }

  private func file(_ sequence: Int, _ alarms: String...) -> String {
    calendar(
      (["BEGIN:VTODO", "UID:a", "SUMMARY:A", "DUE:20260105T090000Z", "SEQUENCE:\(sequence)"] + alarms
        + ["END:VTODO"]).joined(separator: "\n"))
  }

  private func alarms(_ fixture: MergeFixture) throws -> [Alarm] {
    try #require(try fixture.item("a")).alarms
  }

  @Test("an alarm keeps its number when an alarm before it comes or goes")
  func order() throws {
    let fixture = try MergeFixture()
    try fixture.merge(file(1, Self.home))
    let first = try #require(try alarms(fixture).first)
    let numbers = try fences(fixture)
    #expect(numbers.count == 1)
    try fixture.merge(file(2, Self.before(5), Self.home))
    let second = try alarms(fixture)
    #expect(second.map { $0.proximity != nil } == [false, true])
    #expect(second[1].id == first.id)
    #expect(Set(second.map(\.id)).count == 2)
    #expect(try fences(fixture) == numbers)
    // The same file again changes nothing, even though the identifiers don't follow its order.
    #expect(text(try fixture.merge(file(2, Self.before(5), Self.home))) == "1 unchanged")
    try fixture.merge(file(3, Self.home))
    #expect(try alarms(fixture).map(\.id) == [first.id])
    #expect(try fences(fixture) == numbers)
  }

  /// The numbers of alarms in the engine's state.
  private func fences(_ fixture: MergeFixture) throws -> [Int64] {
    let item = try #require(try fixture.item("a"))
    return try fixture.store.read { try $0.fences(of: item.id) }.map(\.number)
  }

  @Test("an edited alarm keeps its number")
  func edited() throws {
    let fixture = try MergeFixture()
    try fixture.merge(file(1, Self.before(5), Self.before(10)))
    let before = try alarms(fixture)
    try fixture.merge(file(2, Self.before(5), Self.before(20)))
    #expect(try alarms(fixture).map(\.id) == before.map(\.id))
  }

  @Test("an acknowledgement stays until the alarm changes")
  func acknowledged() throws {
    let fixture = try MergeFixture()
    try fixture.merge(file(1, Self.before(5)))
    let seen = Instant(seconds: 1_767_600_000)
    try fixture.store.write { writer in
      var item = try #require(try writer.reader.items(uid: "a").first)
      item.alarms[0].acknowledged = seen
      try writer.save(item)
    }
    #expect(text(try fixture.merge(file(1, Self.before(5)))) == "1 unchanged")
    try fixture.merge(file(2, Self.before(5), Self.before(9)))
    #expect(try alarms(fixture).map(\.acknowledged) == [seen, nil])
    try fixture.merge(file(3, Self.before(6), Self.before(9)))
    #expect(try alarms(fixture).map(\.acknowledged) == [nil, nil])
  }

  @Test("a snooze stays until the alarm changes or is answered elsewhere")
  func snoozed() throws {
    let fixture = try MergeFixture()
    try fixture.merge(file(1, Self.before(5)))
    let later = Instant(seconds: 1_767_700_000)
    func snooze() throws {
      try fixture.store.write { writer in
        var item = try #require(try writer.reader.items(uid: "a").first)
        item.alarms[0].acknowledged = Instant(seconds: 1_767_600_000)
        item.alarms.removeAll { $0.snoozeOf != nil }
        var alarm = Alarm(id: Identifier(rawValue: "later"), trigger: .absolute(later))
        alarm.snoozeOf = item.alarms[0].id
        item.alarms.append(alarm)
        try writer.save(item)
      }
    }
    try snooze()
    #expect(text(try fixture.merge(file(1, Self.before(5)))) == "1 unchanged")
    try fixture.merge(file(2, Self.before(9), Self.before(5)))
    #expect(try alarms(fixture).map(\.trigger).last == .absolute(later))
    try fixture.merge(file(3, Self.before(5)))
    #expect(try alarms(fixture).count == 2)
    try fixture.merge(file(4, Self.before(5, "ACKNOWLEDGED:20300101T000000Z\n")))
    #expect(try alarms(fixture).count == 1)
    try snooze()
    try fixture.merge(file(5, Self.before(6)))
    #expect(try alarms(fixture).count == 1)
  }

  @Test("alarms with UIDs are matched by UID")
  func named() throws {
    let fixture = try MergeFixture()
    try fixture.merge(file(1, Self.before(5, "UID:x\n"), Self.before(9, "UID:y\n")))
    try fixture.merge(file(2, Self.before(9, "UID:y\n"), Self.before(5, "UID:x\n")))
    #expect(try alarms(fixture).map(\.id.rawValue) == ["y", "x"])
    try fixture.merge(file(3, Self.before(5, "UID:z\n"), Self.before(5, "UID:x\n")))
    #expect(try alarms(fixture).map(\.id.rawValue) == ["z", "x"])
  }

  @Test("due times stay if nothing changed")
  func dueTimes() throws {
    let fixture = try MergeFixture()
    try fixture.merge(file(1, Self.before(5)))
    let item = try #require(try fixture.item("a"))
    let due = DueTime(
      kind: .relative, time: Instant(seconds: 1_767_603_300), alarm: item.alarms[0].id, item: item.id)
    try fixture.store.write { try $0.replaceDueTimes(of: item.id, with: [due]) }
    try fixture.merge(file(1, Self.before(5)))
    #expect(try fixture.store.read { try $0.dueTimes(of: item.id) } == [due])
    try fixture.merge(file(2, Self.before(7), Self.before(5)))
    #expect(try fixture.store.read { try $0.dueTimes(of: item.id) } == [due])
  }
}
