import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostGeodesy
import FencepostTestSupport
import Testing

@testable import FencepostCalendarStore

/// Alarms that are made or edited while a device is inside, and ask to go off at once.
@Suite("Presence")
struct PresenceTests {
  let fixture: LiveAlarmFixture

  init() throws { fixture = try LiveAlarmFixture() }

  private func time(_ seconds: Double) -> Instant { LiveAlarmFixture.start.adding(seconds: seconds) }

  private static func alarm(
    _ event: ProximityTrigger.Event = .enter, at metres: Double = 0, ifInside: Bool = true
  ) -> Alarm {
    var alarm = LiveAlarmFixture.alarm(event, at: metres)
    alarm.proximity?.firesIfInside = ifInside
    return alarm
  }

  /// A change of an alarm that makes it go off at once, or not.
  enum Edit: String, CaseIterable {
    case add, flag, move, event, again, title, nudge, restore
    // It was told of where it is.
    case widen, narrow, shift
    // It was not: the place was beside it.
    case reach

    /// Whether the device at home hears of it.
    var rings: Bool { [.add, .flag, .move, .event, .reach].contains(self) }
  }

  private func prepare(_ edit: Edit) throws -> Alarm? {
    guard edit != .add else { return nil }
    var alarm = Self.alarm()
    switch edit {
    case .flag: alarm.proximity?.firesIfInside = false
    case .move: alarm.proximity?.location = try #require(Self.alarm(at: 3_000).proximity).location
    case .event: alarm.proximity?.event = .leave
    case .reach: alarm.proximity?.location = try #require(Self.alarm(at: 150).proximity).location
    default: break
    }
    try fixture.reminder("It", alarm)
    return alarm
  }

  private func apply(_ edit: Edit, to alarm: Alarm?) throws {
    var changed = Self.alarm()
    if let alarm { changed.id = alarm.id }
    switch edit {
    // Other programs round coordinates.
    case .nudge: changed.proximity?.location.coordinate?.latitude += 1e-7
    case .widen: changed.proximity?.location.radius = 500
    case .narrow: changed.proximity?.location.radius = 40
    case .shift: changed.proximity?.location = try #require(Self.alarm(at: 60).proximity).location
    default: break
    }
    var item = try fixture.reminder("It", changed)
    item.title = edit == .title ? "Other" : item.title
    if edit == .restore {
      item.reminder?.isCompleted = true
      try fixture.store.write { [item] in try $0.save(item) }
      item.reminder?.isCompleted = false
    }
    try fixture.store.write { [item] in try $0.save(item) }
  }

  @Test(
    "An alarm goes off at once where a device is, once, whether the daemon is up or down as it changes",
    arguments: Edit.allCases, [true, false])
  func edits(edit: Edit, isUp: Bool) throws {
    let alarm = try prepare(edit)
    var engine = try fixture.engine()
    // It arrives, so what asks for it has gone off before.
    let fixes = [fixture.fix(0, 900), fixture.fix(10, 0), fixture.fix(10, 5_000, device: "other")]
    _ = try engine.process(fixes, at: fixture.clock.now)
    fixture.clock.set(time(3_600))
    let before = try fixture.ledger().count
    if !isUp { try engine.finish(at: fixture.clock.now) }
    try apply(edit, to: alarm)
    if !isUp { engine = try fixture.engine() }
    let firings = LiveAlarmFixture.short(try engine.wake(at: fixture.clock.now))
    #expect(firings == (edit.rings ? ["enter It 3600"] : []))
    #expect(try engine.wake(at: fixture.clock.now).isEmpty)
    #expect(try engine.process([fixture.fix(3_601, 1)], at: fixture.clock.now).isEmpty)
    engine = try fixture.engine()
    #expect(try engine.process([fixture.fix(3_700, 2)], at: time(3_700)).isEmpty)
    #expect(try fixture.ledger().count == before + firings.count)
  }

  @Test("Another radius is news for a device that the alarm has not reached yet", arguments: [true, false])
  func untold(isUp: Bool) throws {
    var engine = try fixture.engine()
    _ = try engine.process([fixture.fix(0, 0)], at: fixture.clock.now)
    try engine.finish(at: fixture.clock.now)
    var alarm = Self.alarm()
    if isUp {
      // It leaves, and is back after the alarm was told.
      engine = try fixture.engine()
      try fixture.reminder("It", alarm)
      fixture.clock.set(time(60))
      #expect(try engine.wake(at: fixture.clock.now).count == 1)
      #expect(try engine.process([fixture.fix(50, 900), fixture.fix(60, 150)], at: time(60)).isEmpty)
    } else {
      // No engine has seen the alarm before it changes.
      try fixture.reminder("It", alarm)
    }
    alarm.proximity?.location.radius = 200
    try fixture.reminder("It", alarm)
    fixture.clock.set(time(120))
    if !isUp { engine = try fixture.engine() }
    #expect(LiveAlarmFixture.short(try engine.wake(at: fixture.clock.now)) == ["enter It 120"])
  }

  @Test("A position of days ago does not say where a device is now")
  func oldPresence() throws {
    let engine = try fixture.engine()
    _ = try engine.process([fixture.fix(0, 0)], at: fixture.clock.now)
    fixture.clock.set(time(3 * 86_400))
    try fixture.reminder("There", Self.alarm())
    #expect(try engine.wake(at: fixture.clock.now).isEmpty)
  }

  @Test(
    "A report of presence leaves the first look at other alarms to the next position",
    arguments: [false, true])
  func firstLook(isRestarted: Bool) throws {
    var engine = try fixture.engine()
    _ = try engine.process([fixture.fix(0, 0)], at: fixture.clock.now)
    fixture.clock.set(time(3_600))
    try fixture.reminder("There", Self.alarm())
    try fixture.reminder("Before", LiveAlarmFixture.alarm(.enter, at: 1_000))
    try fixture.reminder("Elsewhere", Self.alarm(at: 5_000))
    #expect(try engine.wake(at: fixture.clock.now).map(\.item.rawValue) == ["There"])
    if isRestarted { engine = try fixture.engine() }
    // It crossed the boundary a minute after its last position, or so: before the alarm was made. Where it is
    // now, it is for the first time.
    fixture.clock.set(time(3_660))
    let firings = try engine.process([fixture.fix(3_659, 5_000)], at: fixture.clock.now)
    #expect(LiveAlarmFixture.short(firings) == ["enter Elsewhere 3659"])
    #expect(try engine.process([fixture.fix(3_660, 5_001)], at: fixture.clock.now).isEmpty)
  }

  @Test("A stay that began with a report of presence ends as the device has left, even before it was made")
  func stay() throws {
    let engine = try fixture.engine()
    _ = try engine.process([fixture.fix(0, 0)], at: fixture.clock.now)
    fixture.clock.set(time(3_600))
    try fixture.reminder("Stay", LiveAlarmFixture.alarm(.dwell(seconds: 300)))
    #expect(try engine.wake(at: fixture.clock.now).isEmpty)
    #expect(try engine.nextDue() == time(3_900))
    fixture.clock.set(time(3_700))
    #expect(try engine.process([fixture.fix(3_700, 9_000)], at: fixture.clock.now).isEmpty)
    #expect(try engine.nextDue() == nil)
  }

  @Test("After a failed write an alarm still goes off for a device that is there")
  func failure() throws {
    let other = try CalendarStore(path: fixture.directory.path("calendar.sqlite"))
    let engine = try fixture.engine()
    _ = try engine.process([fixture.fix(0, 0)], at: fixture.clock.now)
    fixture.clock.set(time(60))
    try fixture.reminder("There", Self.alarm())
    try other.write {
      try $0.connection.execute(
        "CREATE TRIGGER full BEFORE INSERT ON firings BEGIN SELECT RAISE(ABORT, 'full'); END")
    }
    #expect(throws: (any Error).self) { try engine.wake(at: fixture.clock.now) }
    try other.write { try $0.connection.execute("DROP TRIGGER full") }
    #expect(try engine.wake(at: fixture.clock.now).map(\.item.rawValue) == ["There"])
  }
}
