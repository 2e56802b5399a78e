import FencepostActions
import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing
import FencepostRecurrence
import Testing

@Suite("Reminders without an alarm")
struct ImpliedAlarmTests {
  let fixture: EngineFixture

  init() throws {
    fixture = try EngineFixture()
    // The first look at a store arms nothing that is past.
    _ = try follow(at: 0)
  }

  private func after(_ seconds: Double) -> Instant { EngineFixture.start.adding(seconds: seconds) }

  private func follow(at seconds: Double, _ defaults: AlarmDefaults = AlarmDefaults()) throws -> Bool {
    var follower = ChangeFollower(
      store: fixture.store, schedule: AlarmSchedule(resolver: fixture.resolver, defaults: defaults))
    return try follower.catchUp(to: after(seconds)) != .nothing
  }

  /// What goes off until then, in a run that begins at `begin` and ends.
  private func fire(
    from begin: Double, to end: Double, _ defaults: AlarmDefaults = AlarmDefaults()
  ) throws -> [Firing] {
    _ = try follow(at: begin, defaults)
    let schedule = AlarmSchedule(resolver: fixture.resolver, defaults: defaults)
    let engine = try AlarmEngine(
      store: fixture.store, journal: StoreJournal(store: fixture.store), policy: .exact, schedule: schedule,
      devices: fixture.devices, start: after(begin), clock: .wall(lateAfter: 60))
    var fired = try engine.advance(to: after(begin))
    // From one due time to the next, as a daemon sleeps.
    while let next = try engine.nextDue(), next <= after(end) { fired += try engine.advance(to: next) }
    return fired + (try engine.advance(to: after(end)))
  }

  private func item(_ title: String) throws -> CalendarItem {
    try #require(try fixture.store.read { try $0.item(.init(rawValue: title)) })
  }

  private func save(_ item: CalendarItem) throws { try fixture.store.write { try $0.save(item) } }

  @Test("ring once when they are due, and are not changed")
  func once() throws {
    let before = try fixture.reminder("Milk", due: EngineFixture.time(9))
    let fired = try fire(from: 10, to: 7_200)
    #expect(EngineFixture.short(fired) == ["relative Milk 3600"])
    #expect(fired.map(\.alarm) == [before.impliedAlarmID])
    #expect(try item("Milk") == before)
    #expect(try fire(from: 7_300, to: 200_000).isEmpty)
  }

  @Test("ring beside an alarm at a place, and beside what was snoozed")
  func besideOthers() throws {
    var snoozed = Alarm(trigger: .absolute(after(60)))
    snoozed.snoozeOf = .init(rawValue: "gone")
    try fixture.reminder("Milk", due: EngineFixture.time(9), EngineFixture.alarm(.enter), snoozed)
    #expect(EngineFixture.short(try fire(from: 10, to: 7_200)) == ["absolute Milk 60", "relative Milk 3600"])
  }

  @Test("that recur ring at each occurrence")
  func recurring() throws {
    try fixture.reminder("Milk", due: EngineFixture.time(9), rule: RecurrenceRule(.daily))
    let fired = try fire(from: 10, to: 2 * 86_400)
    #expect(EngineFixture.short(fired) == ["relative Milk 3600", "relative Milk 90000"])
  }

  @Test(
    "ring at the all-day hour where they are due on a day",
    arguments: [(9 * 3600, 3_600), (18 * 3600 + 1800, 37_800)])
  func wholeDay(hour: Int, seconds: Int) throws {
    try fixture.reminder("Milk", due: .date(CivilDay(year: 2026, month: 5, day: 2)))
    let fired = try fire(from: 10, to: 80_000, AlarmDefaults(allDaySecond: hour))
    #expect(EngineFixture.short(fired) == ["relative Milk \(seconds)"])
  }

  @Test("stay silent where they are done, have an alarm, say that they have none, or their list says so")
  func silent() throws {
    let due = EngineFixture.time(9)
    try fixture.reminder("Own", due: due, Alarm(trigger: .absolute(after(60))))
    try fixture.reminder("None", due: due, .silent())
    try fixture.reminder("Place", due: due, EngineFixture.alarm(.enter), .silent())
    try fixture.reminder("Undated")
    var done = try fixture.reminder("Done", due: due)
    done.reminder?.complete(at: after(1))
    try save(done)
    var list = ItemCalendar(source: fixture.list.source, title: "Quiet", entities: .reminders)
    list.alarms.ringsWhenDue = false
    try fixture.store.write { [list] in try $0.save(list) }
    var quiet = CalendarItem(
      id: .init(rawValue: "Quiet"), calendar: list.id, title: "Quiet",
      details: .reminder(ReminderDetails(due: due)))
    try save(quiet)
    #expect(EngineFixture.short(try fire(from: 10, to: 80_000)) == ["absolute Own 60"])

    // The list's mind is changed, and so is that of the reminder.
    list.alarms = ListAlarms(standard: .offset(CalendarDuration(seconds: -600)))
    quiet.reminder?.due = EngineFixture.time(9, day: 1)
    try fixture.store.write { [list, quiet] writer in
      try writer.save(list)
      try writer.save(quiet)
    }
    #expect(EngineFixture.short(try fire(from: 80_100, to: 160_000)) == ["relative Quiet \(86_400 + 3_000)"])
    #expect(try fire(from: 160_100, to: 260_000, AlarmDefaults(alarm: nil)).isEmpty)
  }

  @Test("do not ring for what was due before they came into the store, though nothing ran then")
  func arrived() throws {
    var old = try fixture.reminder("Old", due: EngineFixture.time(9))
    old.arrived = after(4_000)
    try save(old)
    var new = try fixture.reminder("New", due: EngineFixture.time(10))
    new.arrived = after(4_000)
    try save(new)
    var weekly = try fixture.reminder("Daily", due: EngineFixture.time(8, 30), rule: RecurrenceRule(.daily))
    weekly.arrived = after(4_000)
    try save(weekly)
    let fired = try fire(from: 10_000, to: 86_400 + 10_000)
    #expect(EngineFixture.short(fired) == ["relative New 7200 late", "relative Daily \(86_400 + 1_800)"])
  }

  @Test("do not ring for what was due before a store of an earlier version was opened")
  func upgraded() throws {
    try fixture.reminder("Old", due: EngineFixture.time(9))
    try fixture.reminder("New", due: EngineFixture.time(12))
    try fixture.store.write { try $0.setQuietly(nil, for: "armed-defaults") }
    #expect(EngineFixture.short(try fire(from: 10_000, to: 80_000)) == ["relative New 14400"])
  }

  @Test("are due at other times once the settings are others, and what rang does not ring again")
  func otherSettings() throws {
    try fixture.reminder("Milk", due: .date(CivilDay(year: 2026, month: 5, day: 3)))
    try fixture.reminder("Tea", due: EngineFixture.time(9))
    #expect(EngineFixture.short(try fire(from: 10, to: 10_000)) == ["relative Tea 3600"])
    let earlier = AlarmDefaults(allDaySecond: 7 * 3600)
    #expect(try follow(at: 10_100, earlier))
    #expect(EngineFixture.short(try fire(from: 10_300, to: 200_000, earlier)) == ["relative Milk 82800"])
  }

  @Test("can be acknowledged, put off and completed, and go on to ring")
  func answers() throws {
    let before = try fixture.reminder("Milk", due: EngineFixture.time(9), rule: RecurrenceRule(.daily))
    func respond(_ response: AlarmResponse, _ firing: Firing, at seconds: Double) throws {
      try fixture.store.write {
        _ = try $0.respond(response, to: firing.key, at: after(seconds), resolver: fixture.resolver)
      }
    }
    let first = try #require(try fire(from: 10, to: 3_700).first)
    try respond(.acknowledge, first, at: 3_800)
    #expect(try item("Milk") == before)
    #expect(try fixture.store.read { try $0.firing(key: first.key) }?.acknowledged == after(3_800))

    let second = try #require(try fire(from: 3_900, to: 86_400 + 3_700).first)
    try respond(.snooze(until: after(86_400 + 5_000)), second, at: 86_400 + 3_800)
    #expect(try item("Milk").alarms.map(\.snoozeOf) == [before.impliedAlarmID])
    let later = try fire(from: 86_400 + 3_900, to: 2 * 86_400 + 3_700)
    #expect(EngineFixture.short(later) == ["absolute Milk 91400", "relative Milk \(2 * 86_400 + 3_600)"])
    let snoozed = try fixture.store.read { try $0.firing(key: later[0].key) }?.context?.snoozed
    #expect(snoozed == SnoozedFiring(kind: .relative, key: second.key, time: after(86_400 + 3_600)))

    try respond(.complete, later[1], at: 2 * 86_400 + 3_800)
    #expect(try item("Milk").alarms.isEmpty)
    #expect(try item("Milk").reminder?.due == EngineFixture.time(9, day: 3))
  }

  @Test("ring in a dry run too")
  func dryRun() throws {
    try fixture.reminder("Milk", due: EngineFixture.time(9))
    #expect(EngineFixture.short(try fixture.dryRun().advance(to: after(7_200))) == ["relative Milk 3600"])
  }

  @Test("Alarms to come are the same for somebody with other settings, and are left as they are")
  func preview() throws {
    try fixture.reminder("Milk", due: .date(CivilDay(year: 2026, month: 5, day: 3)))
    _ = try follow(at: 10)
    func due(_ defaults: AlarmDefaults) throws -> [Double] {
      let schedule = AlarmSchedule(resolver: fixture.resolver, defaults: defaults)
      return try ChangeFollower.preview(of: fixture.store, by: schedule, at: after(20)) { reader in
        try reader.dueTimes(until: .distantFuture).map { $0.time.seconds(since: EngineFixture.start) }
      }
    }
    #expect(try due(AlarmDefaults()) == [86_400 + 3_600])
    #expect(try due(AlarmDefaults(allDaySecond: 0)) == [57_600])
    #expect(try due(AlarmDefaults()) == [86_400 + 3_600])
  }
}
