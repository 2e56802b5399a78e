import FencepostActions
import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import Testing

@Suite("Alarms for a whole list")
struct WholeListTests {
  let fixture: LiveAlarmFixture

  init() throws { fixture = try LiveAlarmFixture() }

  private var list: ItemCalendar { fixture.list }

  private func go(_ engine: LiveAlarmEngine, _ seconds: Double, _ metres: Double) throws -> [Firing] {
    fixture.clock.set(LiveAlarmFixture.start.adding(seconds: seconds))
    return try engine.process([fixture.fix(seconds, metres)], at: fixture.clock.now)
  }

  private func setAlarms(_ alarms: [Alarm]) throws -> CalendarItem? {
    try fixture.store.write { [list, now = fixture.clock.now] in
      try $0.setAlarms(alarms, ofWholeList: list, at: now)
    }
  }

  private func respond(_ response: AlarmResponse, to firing: Firing) throws {
    _ = try fixture.store.write { [now = fixture.clock.now, resolver = fixture.resolver] in
      try $0.respond(response, to: firing.key, at: now, resolver: resolver)
    }
  }

  @Test("One alarm a visit tells what is open; with nothing open there is none; Done is about the visit")
  func visits() throws {
    for title in ["Milk", "Bread", "Eggs", "Tea", "Soap"] { try fixture.reminder(title) }
    let standing = try #require(try setAlarms([LiveAlarmFixture.alarm(.enter)]))
    #expect(standing.title == list.title && standing.isForWholeList)
    let engine = try fixture.engine()
    #expect(try go(engine, 0, 500).isEmpty)
    let first = try #require(try go(engine, 10, 0).first)
    let entry = try #require(try fixture.store.read { try $0.firing(key: first.key) })
    #expect(entry.context?.itemTitle == list.title)
    #expect(entry.context?.message == "5 open: Milk, Bread, Eggs and 2 more")

    try respond(.complete, to: first)
    #expect(try fixture.store.read { try $0.item(standing.id) }?.reminder?.isCompleted == false)
    #expect(try go(engine, 600, 2_000).isEmpty)
    for title in ["Milk", "Bread", "Eggs", "Tea"] {
      try fixture.store.write { writer in
        var item = try #require(try writer.reader.item(.init(rawValue: title)))
        item.reminder?.complete(at: LiveAlarmFixture.start)
        try writer.save(item)
      }
    }
    let second = try #require(try go(engine, 1_200, 0).first)
    #expect(try fixture.store.read { try $0.firing(key: second.key) }?.context?.message == "1 open: Soap")

    #expect(try go(engine, 1_800, 2_000).isEmpty)
    try fixture.store.write { _ = try $0.remove(Identifier<CalendarItem>(rawValue: "Soap")) }
    #expect(try go(engine, 2_400, 0).isEmpty)
  }

  @Test("Completing its reminder in another program is about the visit too")
  func completedElsewhere() throws {
    try fixture.reminder("Milk")
    var standing = try #require(try setAlarms([LiveAlarmFixture.alarm(.enter)]))
    standing.reminder?.complete(at: LiveAlarmFixture.start)
    try fixture.store.write { [standing] in try $0.save(standing) }
    let engine = try fixture.engine()
    #expect(try go(engine, 0, 500).isEmpty)
    #expect(try go(engine, 10, 0).count == 1)
  }

  @Test("A snooze until a time tells what is open then, and nothing if nothing is", arguments: [true, false])
  func snoozed(isDone: Bool) throws {
    try fixture.reminder("Milk")
    _ = try setAlarms([LiveAlarmFixture.alarm(.enter)])
    let engine = try fixture.engine()
    #expect(try go(engine, 0, 500).isEmpty)
    let first = try #require(try go(engine, 10, 0).first)
    try respond(.snooze(until: LiveAlarmFixture.start.adding(seconds: 600)), to: first)
    if isDone { try fixture.store.write { _ = try $0.remove(Identifier<CalendarItem>(rawValue: "Milk")) } }
    fixture.clock.set(LiveAlarmFixture.start.adding(seconds: 600))
    #expect(try engine.wake(at: fixture.clock.now).count == (isDone ? 0 : 1))
    #expect(try engine.nextDue() == nil)
  }

  @Test("Its reminder has the list's name, and is no task: it is neither counted nor listed")
  func renamed() throws {
    try fixture.reminder("Milk")
    let standing = try #require(try setAlarms([LiveAlarmFixture.alarm(.enter)]))
    var renamed = fixture.list
    renamed.title = "Weekend"
    try fixture.store.write { [renamed] in try $0.save(renamed) }
    try fixture.store.read { reader in
      #expect(try reader.item(standing.id)?.title == "Weekend")
      let counts = try reader.counts(of: renamed.id)
      #expect(counts.items == 1 && counts.open == 1 && counts.alarms == 0)
      #expect(try reader.incompleteReminders().map(\.title) == ["Milk"])
      #expect(try reader.items(ItemSelection(), offset: 0, limit: 9).page.map(\.title) == ["Milk"])
    }
  }

  @Test("A list has one such reminder, which changes and goes")
  func changes() throws {
    let first = try #require(try setAlarms([LiveAlarmFixture.alarm(.enter)]))
    let second = try #require(try setAlarms([LiveAlarmFixture.alarm(.leave)]))
    #expect(second.id == first.id && second.alarms.first?.proximity?.event == .leave)
    #expect(try fixture.store.read { try $0.wholeListReminders(in: fixture.list.id) }.count == 1)
    #expect(try setAlarms([]) == nil)
    #expect(try fixture.store.read { try $0.items(in: fixture.list.id) }.isEmpty)
  }

  @Test("A calendar of events has none")
  func events() throws {
    let calendar = try fixture.store.write { try $0.defaultCalendar(for: .events) }
    #expect(throws: ActionError.noReminders(calendar: calendar.title)) {
      try fixture.store.write {
        _ = try $0.setAlarms([LiveAlarmFixture.alarm(.enter)], ofWholeList: calendar, at: .epoch)
      }
    }
  }
}
