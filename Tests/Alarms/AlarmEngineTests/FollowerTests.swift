import FencepostCalendarModel
import FencepostRecurrence
import Testing

@testable import FencepostAlarmEngine
@testable import FencepostCalendarStore

@Suite("Following what others change")
struct FollowerTests {
  private let fixture: EngineFixture

  init() throws { fixture = try EngineFixture() }

  private func follower(in zone: TimeZoneID = EngineFixture.berlin) -> ChangeFollower {
    ChangeFollower(store: fixture.store, schedule: AlarmSchedule(resolver: TimeResolver(floating: zone)))
  }

  /// What is waited for: `dwell 307`, with the seconds since the start.
  private func due() throws -> [String] {
    try fixture.store.read { try $0.dueTimes(until: .distantFuture) }.map {
      "\($0.kind.rawValue) \(Int($0.time.seconds(since: EngineFixture.start).rounded()))"
    }
  }

  @Test("A stay that is waited for stays one when the zone changes")
  func stayAndZone() throws {
    let nine = CalendarTime.floating(CivilDateTime(year: 2026, month: 5, day: 2, hour: 9))
    try fixture.reminder(
      "Both", due: nine, EngineFixture.alarm(.dwell(seconds: 300)),
      Alarm(trigger: .relative(.zero, to: .start)))
    var berlin = follower()
    _ = try berlin.catchUp(to: EngineFixture.start)
    _ = try fixture.engine().process([fixture.fix(0, -300), fixture.fix(10, 0)])
    #expect(try due() == ["dwell 307", "relative 3600"])
    for (zone, hours) in [("Europe/London", 2), ("America/New_York", 7), ("Europe/Berlin", 1)] {
      var follower = follower(in: TimeZoneID(rawValue: zone))
      #expect(try follower.catchUp(to: EngineFixture.start) != .nothing)
      #expect(try due() == ["dwell 307", "relative \(hours * 3600)"])
    }
  }

  @Test("What cannot be followed any more counts as changed", arguments: ["sequence < 8", "TRUE"])
  func gap(cut: String) throws {
    var follower = follower()
    _ = try follower.catchUp(to: EngineFixture.start)
    for title in ["One", "Two", "Three"] {
      try fixture.reminder(title, Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: 60))))
    }
    try fixture.store.write { try $0.connection.execute("DELETE FROM changes WHERE \(cut)") }
    #expect(try follower.catchUp(to: EngineFixture.start) != .nothing)
    #expect(try due().count == 3)
    #expect(try follower.catchUp(to: EngineFixture.start) == .nothing)
  }

  @Test("A look says which items changed, and if there are too many, that all may have")
  func effects() throws {
    var follower = follower()
    func look() throws -> ChangeEffect { try follower.catchUp(to: EngineFixture.start) }
    #expect(try look() == .all)
    #expect(try look() == .nothing)
    let milk = try fixture.reminder(
      "Milk", Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: 60))))
    #expect(try look() == .items([milk.id]))
    var bread = try fixture.reminder("Bread", EngineFixture.alarm(.enter))
    #expect(try look() == .items([bread.id]))
    bread.reminder?.completed = EngineFixture.start
    try fixture.store.write { [bread] writer in
      try writer.save(bread)
      _ = try writer.remove(milk.id)
    }
    #expect(try look() == .items([milk.id, bread.id]))
    for number in 0...ChangeEffect.maximumItems { try fixture.reminder("\(number)") }
    #expect(try look() == .all)
    #expect(try look() == .nothing)
    #expect(follower.lastChange == (try fixture.store.read { try $0.lastChange() }))
  }

  @Test("All alarms are armed in steps; where that was ended halfway, the next look loses none")
  func interrupted() throws {
    let alarm = Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: 60)))
    for number in 0..<700 { try fixture.reminder("\(number)", alarm) }
    let schedule = AlarmSchedule(resolver: TimeResolver(floating: EngineFixture.berlin))
    var scan = ChangeScan()
    try fixture.store.write { _ = try scan.run(in: $0, by: schedule, at: EngineFixture.start) }
    #expect(scan.isPartial)
    #expect(try due().count == 300)
    // Nobody looked until the alarms were due.
    var follower = follower()
    #expect(try follower.catchUp(to: EngineFixture.start.adding(seconds: 100)) != .nothing)
    #expect(try due() == Array(repeating: "absolute 60", count: 700))
    // A zone that changes moves all, in steps too.
    try fixture.store.write {
      try $0.save(TimeZoneDefinition(id: TimeZoneID(rawValue: "Z"), observances: [], text: "BEGIN:VTIMEZONE"))
    }
    #expect(try follower.catchUp(to: EngineFixture.start.adding(seconds: 100)) != .nothing)
    #expect(try due().count == 700)
  }

  /// More reminders than are armed in one transaction, made at the start.
  private func makeMany(
    due: CalendarTime? = nil, _ alarms: [Alarm]
  ) throws -> Int {
    let count = 400
    try fixture.store.write { writer in
      let list = try writer.defaultCalendar(for: .reminders)
      for number in 0..<count {
        var item = CalendarItem(
          calendar: list.id, title: "Of many \(number)", details: .reminder(ReminderDetails(due: due)))
        item.alarms = alarms.map { alarm in
          var alarm = alarm
          alarm.id = .random()
          return alarm
        }
        try writer.save(item)
      }
    }
    return count
  }

  @Test("Many changes are armed part by part, however many changes of other things came after")
  func longLog() throws {
    let alarm = Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: 60)))
    try fixture.reminder("Armed before", alarm)
    var follower = follower()
    _ = try follower.catchUp(to: EngineFixture.start)
    #expect(try due().count == 1)
    // It is not looked at again, unless the log has a gap.
    try fixture.store.write { try $0.connection.execute("DELETE FROM due_times") }
    let count = try makeMany([alarm])
    try fixture.store.write { writer in
      for _ in 0..<ChangeLog.kept { try writer.set("value", for: "key") }
    }
    #expect(try follower.catchUp(to: EngineFixture.start) != .nothing)
    #expect(try due().count == count)
  }

  @Test(
    "What was due before the first look at reminders without an alarm does not ring, however many there are")
  func upgrade() throws {
    var before = follower()
    _ = try before.catchUp(to: EngineFixture.start)
    // As a version left it that knew nothing of them.
    try fixture.store.write { try $0.connection.execute("DELETE FROM settings WHERE key = 'armed-defaults'") }
    let hour = CivilDateTime(secondsSinceEpoch: EngineFixture.start.wholeSeconds + 3_600)
    _ = try makeMany(due: .utc(hour), [])
    var after = follower()
    _ = try after.catchUp(to: EngineFixture.start.adding(seconds: 86_400))
    #expect(try due() == [])
  }

  @Test("The log is kept short, though not of what undoing needs, nor shorter than others look back")
  func trimming() throws {
    func count() throws -> Int { try fixture.store.read { try $0.changes(after: 0, limit: .max).count } }
    func fill(_ number: Int) throws {
      try fixture.store.write { writer in for _ in 0..<number { try writer.set("value", for: "key") } }
    }
    try fill(25_000)
    var follower = follower()
    _ = try follower.catchUp(to: EngineFixture.start)
    #expect(try count() == Int(ChangeLog.kept))

    let step = try fixture.store.read { try $0.lastChange() } + 1
    try fixture.store.write { writer in
      try writer.connection.execute(
        """
        INSERT INTO undo_steps (run, label, made_at, is_undone, first_change, last_change, omits_additions)
        VALUES ('run', 'add', \(EngineFixture.start.microseconds), 0, \(step), \(step), 1)
        """)
    }
    try fill(25_000)
    try fixture.reminder("One")
    _ = try follower.catchUp(to: EngineFixture.start)
    #expect(try fixture.store.read { try $0.changes(after: 0, limit: 1) }.map(\.sequence) == [step])
    try fill(10_001)
    try fixture.reminder("Two")
    let later = EngineFixture.start.adding(seconds: 91 * 86_400)
    _ = try follower.catchUp(to: later)
    #expect(try count() > Int(ChangeLog.kept), "so many changes are removed in two transactions")
    try fixture.reminder("Three")
    _ = try follower.catchUp(to: later)
    #expect(try count() == Int(ChangeLog.kept))
    #expect(try fixture.store.read { try $0.undoSteps() }.isEmpty)
  }

  @Test("Whoever looks in another zone leaves due times of that zone, which the next one moves")
  func twoZones() throws {
    let nine = CalendarTime.floating(CivilDateTime(year: 2026, month: 5, day: 2, hour: 9))
    var berlin = follower()
    _ = try berlin.catchUp(to: EngineFixture.start)
    let alarm = Alarm(trigger: .relative(.zero, to: .start))
    try fixture.reminder("Before", due: nine, alarm)
    _ = try berlin.catchUp(to: EngineFixture.start)
    try fixture.reminder("After", due: nine, alarm)
    var london = follower(in: TimeZoneID(rawValue: "Europe/London"))
    #expect(try london.catchUp(to: EngineFixture.start) != .nothing)
    #expect(try due() == ["relative 7200", "relative 7200"])
    var again = follower()
    #expect(try again.catchUp(to: EngineFixture.start) != .nothing)
    #expect(try due() == ["relative 3600", "relative 3600"])
  }

  @Test(
    "A zone that a file brings counts at once, and where it came while nothing ran", arguments: [true, false])
  func broughtZone(isRunning: Bool) throws {
    let zone = TimeZoneID(rawValue: "My Zone")
    let civil = CivilDateTime(year: 2026, month: 5, day: 2, hour: 9)
    let resolver = TimeResolver(zones: TimeZoneDatabase(), floating: EngineFixture.berlin)
    var follower = ChangeFollower(store: fixture.store, schedule: AlarmSchedule(resolver: resolver))
    _ = try follower.catchUp(to: EngineFixture.start)
    try fixture.reminder("In it", due: .zoned(civil, zone), Alarm(trigger: .relative(.zero, to: .start)))
    if !isRunning {
      _ = try follower.catchUp(to: EngineFixture.start)
      #expect(try due() == ["relative 3600"])
      follower = ChangeFollower(store: fixture.store, schedule: AlarmSchedule(resolver: resolver))
    }
    let definition = TimeZoneDefinition(
      id: zone,
      observances: [
        .init(
          isDaylight: false, start: CivilDateTime(year: 1970, month: 1, day: 1), offsetFrom: 3_600,
          offsetTo: 3_600,
          name: nil)
      ], text: "BEGIN:VTIMEZONE")
    try fixture.store.write { try $0.save(definition) }
    #expect(try follower.catchUp(to: EngineFixture.start) != .nothing)
    // An hour east of Greenwich: an hour later than Berlin in summer.
    #expect(try due() == ["relative 7200"])
  }
}
