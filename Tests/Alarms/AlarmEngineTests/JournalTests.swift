import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing
import FencepostRecurrence
import Testing

/// A journal that gives one due time at a time, as the store does where there are thousands.
private struct SparingJournal: EngineJournal {
  let journal: StoreJournal
  var keepsStates: Bool { true }

  mutating func nextDueTimes(limit: Int) throws -> (dueTimes: [DueTime], isAll: Bool) {
    try journal.nextDueTimes(limit: 1)
  }
  mutating func commit(_ step: EngineStep) throws -> [Firing] { try journal.commit(step) }
  func state(ofDevice name: String) throws -> DeviceState? { try journal.state(ofDevice: name) }
  func lastFiring(of alarm: Identifier<Alarm>, item: Identifier<CalendarItem>) throws -> Instant? {
    try journal.lastFiring(of: alarm, item: item)
  }
}

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
    var follower = ChangeFollower(store: fixture.store, schedule: schedule)
    _ = try follower.catchUp(to: EngineFixture.start)
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
    var follower = ChangeFollower(store: fixture.store, schedule: schedule)
    _ = try follower.catchUp(to: EngineFixture.start)
    // The machine slept for four days.
    let engine = try fixture.engine(clock: .wall(lateAfter: 30))
    let firings = try engine.advance(to: EngineFixture.start.adding(seconds: 4 * 86_400))
    #expect(
      EngineFixture.short(firings) == [
        "absolute Once 60 late", "relative Tablet \(3 * 86_400 + 3600) late +3",
        "absolute Punctual \(4 * 86_400 - 1)",
      ])
  }

  @Test("What changes beside a step is saved with the end of the step, and not with a part of it")
  func parts() throws {
    let fixture = try EngineFixture()
    for second in [10.0, 20] {
      try fixture.reminder(
        "At \(Int(second))", Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: second))))
    }
    let schedule = AlarmSchedule(resolver: fixture.resolver)
    var follower = ChangeFollower(store: fixture.store, schedule: schedule)
    _ = try follower.catchUp(to: EngineFixture.start)
    final class Count { var value = 0 }
    let saved = Count()
    let journal = StoreJournal(
      store: fixture.store, alongside: { (_: borrowing StoreWriter) in saved.value += 1 })
    let engine = try AlarmEngine(
      store: fixture.store, journal: SparingJournal(journal: journal), policy: .exact, schedule: schedule,
      devices: fixture.devices, start: EngineFixture.start, clock: .trace)
    // The alarms are due on the way to the position, and saved before it.
    let firings = try engine.process([fixture.fix(1, 0), fixture.fix(30, 0)])
    #expect(EngineFixture.short(firings) == ["absolute At 10 10", "absolute At 20 20"])
    #expect(saved.value == 1)
    #expect(try fixture.store.read { try $0.devices() }.map(\.name) == ["phone"])
  }

  @Test(
    "A recording leaves what waits for its time on the wall, and is told once",
    arguments: [-60, 30, 400] as [Double])
  func recording(days: Double) throws {
    let fixture = try EngineFixture()
    let schedule = AlarmSchedule(resolver: fixture.resolver)
    try fixture.reminder(
      "Tablet", due: EngineFixture.time(9), rule: RecurrenceRule(.daily),
      Alarm(trigger: .relative(.zero, to: .start)))
    try fixture.reminder("Once", Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: 40 * 86_400))))
    var follower = ChangeFollower(store: fixture.store, schedule: schedule)
    _ = try follower.catchUp(to: EngineFixture.start)
    let waiting = try fixture.store.read { try $0.dueTimes(until: .distantFuture) }
    let first = EngineFixture.start.adding(seconds: days * 86_400)
    func record() throws -> [String] {
      let engine = try AlarmEngine(
        store: fixture.store,
        journal: RecordingJournal(store: fixture.store, schedule: schedule, start: first),
        policy: .exact, schedule: schedule, devices: fixture.devices, start: first, clock: .trace)
      let trace = [-300.0, 0, 300].enumerated().map {
        fixture.fix(days * 86_400 + Double($0.0) * 86_400, $0.1)
      }
      return EngineFixture.short(try engine.process(trace))
    }
    let day = Int(days) * 86_400
    let expected = (0...1).map { "relative Tablet \(day + $0 * 86_400 + 3600)" }
    #expect(try record() == (days < 0 ? [] : expected))
    #expect(try record() == [])
    #expect(try fixture.store.read { try $0.dueTimes(until: .distantFuture) } == waiting)
  }

  @Test("A stay that a recording begins is waited for by the next one")
  func recordedStay() throws {
    let fixture = try EngineFixture()
    try fixture.reminder("Stay", EngineFixture.alarm(.dwell(seconds: 300)))
    func record(_ fixes: [Fix]) throws -> [Firing] {
      let schedule = AlarmSchedule(resolver: fixture.resolver)
      return try AlarmEngine(
        store: fixture.store,
        journal: RecordingJournal(store: fixture.store, schedule: schedule, start: fixes[0].time),
        policy: .exact,
        schedule: schedule, devices: fixture.devices, start: fixes[0].time, clock: .trace
      ).process(fixes)
    }
    #expect(try record([fixture.fix(0, -300), fixture.fix(10, 0)]).isEmpty)
    #expect(try record([fixture.fix(400, 0)]).map(\.kind) == [.dwell])
    #expect(try fixture.store.read { try $0.stays() }.isEmpty)
  }

  @Test("A stay is waited for across a restart, and left across one")
  func stays() throws {
    let fixture = try EngineFixture()
    try fixture.reminder("Stay", EngineFixture.alarm(.dwell(seconds: 300)))
    #expect(try fixture.engine().process([fixture.fix(0, -300), fixture.fix(10, 0)]).isEmpty)
    #expect(try fixture.store.read { try $0.dueTimes(until: .distantFuture).map(\.device) } == ["phone"])
    #expect(try fixture.engine().process([fixture.fix(20, -300)]).isEmpty)
    #expect(try fixture.store.read { try $0.stays() }.isEmpty)
    #expect(try fixture.engine().process([fixture.fix(30, 0)]).isEmpty)
    let firings = try fixture.engine().process([fixture.fix(400, 0)])
    #expect(firings.map(\.kind) == [.dwell])
  }

  @Test("A device whose state can't be read begins anew from its last position, and stops no other")
  func damagedState() throws {
    let fixture = try EngineFixture()
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    let outside = ["phone", "watch"].map { fixture.fix(0, -300, device: $0) }
    #expect(try fixture.engine().process(outside).isEmpty)
    try fixture.store.write { try $0.saveFenceState([0xFF, 1, 2, 3], of: "phone") }
    let engine = try fixture.engine()
    let fixes = ["phone", "watch"].flatMap {
      [fixture.fix(10, 0, device: $0), fixture.fix(20, 300, device: $0)]
    }
    let firings = try engine.process(fixes)
    #expect(firings.contains { $0.crossing?.device == "watch" })
    #expect(try fixture.engine().process([fixture.fix(30, 0)]).map(\.kind) == [.enter])
  }

  @Test("What went off before a call failed is told by the next one")
  func pending() throws {
    let fixture = try EngineFixture()
    let alarms = (0..<1_500).map {
      Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: Double($0 + 1))))
    }
    var item = try fixture.reminder("Many")
    item.alarms = alarms
    try fixture.store.write { [item] in try $0.save(item) }
    var follower = ChangeFollower(store: fixture.store, schedule: AlarmSchedule(resolver: fixture.resolver))
    _ = try follower.catchUp(to: EngineFixture.start)
    let journal = FailingJournal(journal: StoreJournal(store: fixture.store), failing: 2)
    let engine = try AlarmEngine(
      store: fixture.store, journal: journal, policy: .exact,
      schedule: AlarmSchedule(resolver: fixture.resolver),
      devices: fixture.devices, start: EngineFixture.start, clock: .trace)
    let end = EngineFixture.start.adding(seconds: 2_000)
    #expect(throws: FailingJournal.Failure.self) { try engine.advance(to: end) }
    try engine.rollBack()
    let firings = try engine.advance(to: end)
    #expect(Set(firings.map(\.alarm)) == Set(alarms.map(\.id)))
    #expect(firings.count == 1_500)
  }
}

/// Fails once, at the commit with a number.
private struct FailingJournal: EngineJournal {
  struct Failure: Error {}

  var journal: StoreJournal
  /// Counts down to the commit that fails.
  var failing: Int

  mutating func nextDueTimes(limit: Int) throws -> (dueTimes: [DueTime], isAll: Bool) {
    try journal.nextDueTimes(limit: limit)
  }

  mutating func commit(_ step: EngineStep) throws -> [Firing] {
    failing -= 1
    if failing == 0 { throw Failure() }
    return try journal.commit(step)
  }

  var keepsStates: Bool { true }

  func state(ofDevice name: String) throws -> DeviceState? { try journal.state(ofDevice: name) }

  func lastFiring(of alarm: Identifier<Alarm>, item: Identifier<CalendarItem>) throws -> Instant? {
    try journal.lastFiring(of: alarm, item: item)
  }
}
