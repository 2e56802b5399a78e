import FencepostActions
import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import Testing

@Suite("Alarms that are snoozed until something happens")
struct VisitSnoozeTests {
  let fixture: LiveAlarmFixture

  init() throws { fixture = try LiveAlarmFixture() }

  private func entry() throws -> LedgerEntry {
    try #require(try fixture.store.read { try $0.firings() }.last)
  }

  @Test("Until here again, it goes off at the next arrival, once; staying there is no arrival")
  func visit() throws {
    try fixture.reminder("Milk", LiveAlarmFixture.alarm(.enter))
    let engine = try fixture.engine()
    func go(_ seconds: Double, _ metres: Double) throws -> [Firing] {
      fixture.clock.set(LiveAlarmFixture.start.adding(seconds: seconds))
      return try engine.process([fixture.fix(seconds, metres)], at: fixture.clock.now)
    }
    #expect(try go(0, 500).isEmpty)
    #expect(try go(10, 0).count == 1)
    let first = try entry()
    let place = try fixture.store.read { try $0.placeToSnooze(first) }
    #expect(place.title == "Place")
    try fixture.store.write { [now = fixture.clock.now, resolver = fixture.resolver] in
      _ = try $0.respond(.snoozeUntilVisit(place), to: first.firing.key, at: now, resolver: resolver)
    }
    #expect(try go(20, 10).isEmpty)
    #expect(try go(600, 2_000).isEmpty)
    let again = try go(1_200, 0)
    #expect(again.contains { $0.alarm != first.firing.alarm })
    let second = try #require(again.first { $0.alarm != first.firing.alarm })
    // Answered, the snooze is over.
    try fixture.store.write { [now = fixture.clock.now, resolver = fixture.resolver] in
      _ = try $0.respond(.acknowledge, to: second.key, at: now, resolver: resolver)
    }
    let item = try #require(try fixture.store.read { try $0.item(.init(rawValue: "Milk")) })
    #expect(item.alarms.count == 1)
  }

  @Test("Without a place, or with a start that is past, it says so")
  func refused() throws {
    let start = LiveAlarmFixture.start
    try fixture.reminder("Pay", due: CalendarTime(start.adding(seconds: 600)), LiveAlarmFixture.alarm(at: 1))
    let engine = try fixture.engine()
    fixture.clock.advance(by: 2)
    #expect(try engine.wake(at: fixture.clock.now).count == 1)
    let entry = try entry()
    try fixture.store.read { reader in
      #expect(throws: ActionError.noPlace(title: "Pay")) { try reader.placeToSnooze(entry) }
      let until = try reader.startToSnooze(entry, at: start, resolver: fixture.resolver)
      #expect(until == start.adding(seconds: 600))
      #expect(throws: ActionError.hasStarted(title: "Pay")) {
        try reader.startToSnooze(entry, at: until, resolver: fixture.resolver)
      }
    }
  }
}
