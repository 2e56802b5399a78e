import AlarmEngine
import CalendarModel
import CalendarStore
import Recurrence
import Testing

@Suite("The journal in the store")
struct JournalTests {
  @Test("Alarms of time are armed from a start on, and go off in earnest")
  func arming() throws {
    let fixture = try EngineFixture()
    try fixture.reminder(
      "Tablet", due: EngineFixture.time(9), rule: RecurrenceRule(.daily),
      Alarm(trigger: .relative(.zero, to: .start)))
    try fixture.reminder("Past", Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: -60))))
    let schedule = AlarmSchedule(resolver: fixture.resolver)
    try StoreJournal(store: fixture.store).arm(from: EngineFixture.start, by: schedule)
    let armed = try fixture.store.read { try $0.dueTimes(until: .distantFuture) }
    #expect(armed.map { $0.time.seconds(since: EngineFixture.start) } == [3600])
    let firings = try fixture.engine().advance(to: EngineFixture.start.adding(seconds: 2 * 86_400))
    #expect(EngineFixture.short(firings) == ["relative Tablet 3600", "relative Tablet 90000"])
    // The next occurrence is waiting, whoever asks.
    #expect(try fixture.engine().nextDue() == EngineFixture.start.adding(seconds: 3600 + 2 * 86_400))
  }

  @Test("Alarms that were missed go off late: those of a series as one")
  func missed() throws {
    let fixture = try EngineFixture()
    try fixture.reminder(
      "Tablet", due: EngineFixture.time(9), rule: RecurrenceRule(.daily),
      Alarm(trigger: .relative(.zero, to: .start)))
    try fixture.reminder("Once", Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: 60))))
    try fixture.reminder(
      "Punctual", Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: 4 * 86_400 - 1))))
    let schedule = AlarmSchedule(resolver: fixture.resolver)
    try StoreJournal(store: fixture.store).arm(from: EngineFixture.start, by: schedule)
    // The machine slept for four days.
    let engine = try fixture.engine(clock: .wall(lateAfter: 30))
    let firings = try engine.advance(to: EngineFixture.start.adding(seconds: 4 * 86_400))
    #expect(
      EngineFixture.short(firings) == [
        "absolute Once 60 late", "relative Tablet \(3 * 86_400 + 3600) late +3",
        "absolute Punctual \(4 * 86_400 - 1)",
      ])
  }

  @Test("A stay is waited for across a restart, and left across one")
  func stays() throws {
    let fixture = try EngineFixture()
    try fixture.reminder("Stay", EngineFixture.alarm(.dwell(seconds: 300)))
    #expect(try fixture.engine().process([fixture.fix(0, -300), fixture.fix(10, 0)]).isEmpty)
    #expect(try fixture.store.read { try $0.dueTimes(until: .distantFuture).map(\.device) } == ["phone"])
    #expect(try fixture.engine().process([fixture.fix(20, -300)]).isEmpty)
    #expect(try fixture.store.read { try $0.earliestDue() } == nil)
    #expect(try fixture.engine().process([fixture.fix(30, 0)]).isEmpty)
    let firings = try fixture.engine().process([fixture.fix(400, 0)])
    #expect(firings.map(\.kind) == [.dwell])
  }
}
