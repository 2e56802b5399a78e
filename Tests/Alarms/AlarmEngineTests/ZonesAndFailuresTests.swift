import FencepostAlarmTestSupport
import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostTestSupport
import Testing

@Suite("Changed zones, failing stores, and history")
struct ZonesAndFailuresTests {
  let fixture: LiveAlarmFixture

  init() throws { fixture = try LiveAlarmFixture() }

  private static let nine = CalendarTime.floating(CivilDateTime(year: 2026, month: 5, day: 2, hour: 9))
  private static let atDue = Alarm(trigger: .relative(.zero, to: .start))

  // MARK: Zones

  @Test("An alarm at nine goes off at nine local time after a change of zone")
  func travels() throws {
    try fixture.reminder("Tea", due: Self.nine, Self.atDue)
    try fixture.reminder(
      "Call", due: .zoned(Self.nine.civil, .init(rawValue: "Europe/Berlin")), Self.atDue)
    #expect(try fixture.engine().nextDue() == LiveAlarmFixture.start.adding(seconds: 3_600))
    let westwards = try fixture.engine(zone: "America/New_York")
    fixture.clock.advance(by: 3_600)
    #expect(LiveAlarmFixture.short(try westwards.wake(at: fixture.clock.now)) == ["relative Call 3600"])
    #expect(try westwards.nextDue() == LiveAlarmFixture.start.adding(seconds: 7 * 3_600))
  }

  @Test("An alarm that the change of zone skips goes off at once, and not again if its hour repeats")
  func passedOver() throws {
    try fixture.reminder("Tea", due: Self.nine, Self.atDue)
    _ = try fixture.engine()
    fixture.clock.advance(by: 1_800)
    let east = try fixture.engine(zone: "Asia/Tokyo")
    #expect(LiveAlarmFixture.short(try east.wake(at: fixture.clock.now)) == ["relative Tea -21600 late"])
    fixture.clock.advance(by: 600)
    #expect(try fixture.engine().nextDue() == nil)
    #expect(try fixture.engine(zone: "America/New_York").nextDue() == nil)
  }

  @Test("The next occurrence of a series stays the next one")
  func series() throws {
    try fixture.reminder("Tablet", due: Self.nine, rule: RecurrenceRule(.daily), Self.atDue)
    let berlin = try fixture.engine()
    fixture.clock.advance(by: 3_600)
    #expect(LiveAlarmFixture.short(try berlin.wake(at: fixture.clock.now)) == ["relative Tablet 3600"])
    // In New York, nine o'clock of the same day is in the future, but that occurrence has gone off.
    let west = try fixture.engine(zone: "America/New_York")
    #expect(try west.nextDue() == LiveAlarmFixture.start.adding(seconds: 86_400 + 7 * 3_600))
    #expect(try fixture.engine().nextDue() == LiveAlarmFixture.start.adding(seconds: 86_400 + 3_600))
  }

  @Test("REPEAT is one firing, which channels tell again")
  func repetition() throws {
    var alarm = Self.atDue
    alarm.repeatCount = 2
    alarm.repeatInterval = CalendarDuration(seconds: 600)
    try fixture.reminder("Tea", due: Self.nine, alarm)
    let engine = try fixture.engine()
    fixture.clock.advance(by: 3_600)
    #expect(try engine.wake(at: fixture.clock.now).count == 1)
    #expect(try engine.nextDue() == nil)
  }

  // MARK: A store that fails

  @Test("While the store can't be written, nothing is lost, and later nothing is repeated")
  func locked() throws {
    try fixture.reminder("In", LiveAlarmFixture.alarm(.enter))
    try fixture.reminder("Out", LiveAlarmFixture.alarm(.leave))
    try fixture.reminder("Milk", LiveAlarmFixture.alarm(at: 15))
    let impatient = try CalendarStore(path: fixture.store.path, timeout: 0)
    let engine = try fixture.engine(over: impatient)
    let fixes = (0...60).map { fixture.fix(Double($0), 500 - Double($0) * 20) }
    for (index, fix) in fixes.enumerated() {
      fixture.clock.set(fix.time)
      let isFailing = index % 7 < 5
      defer { #expect(engine.isHolding == isFailing) }
      if isFailing {
        try fixture.store.write { _ in
          #expect(throws: StoreError.self) { try engine.process([fix], at: fixture.clock.now) }
        }
      } else {
        _ = try engine.process([fix], at: fixture.clock.now)
      }
    }
    _ = try engine.wake(at: fixture.clock.now)
    let ledger = try fixture.ledger()

    let calm = try LiveAlarmFixture()
    try calm.reminder("In", LiveAlarmFixture.alarm(.enter))
    try calm.reminder("Out", LiveAlarmFixture.alarm(.leave))
    try calm.reminder("Milk", LiveAlarmFixture.alarm(at: 15))
    let undisturbed = try calm.engine()
    calm.clock.advance(by: 60)
    _ = try undisturbed.process(fixes, at: calm.clock.now)
    #expect(ledger.count == 3)
    #expect(try Set(ledger) == Set(calm.ledger()))
  }

  // MARK: The history of positions

  private func kept(_ device: String? = nil) throws -> [String] {
    var found: [String] = []
    try fixture.store.read { reader in
      try reader.forEachPosition(of: device) { name, fix in
        found.append("\(name) \(Int(fix.time.seconds(since: LiveAlarmFixture.start)))")
        return true
      }
    }
    return found
  }

  @Test("Only the last position of a device is stored, unless the history is kept")
  func history() throws {
    fixture.clock.advance(by: 100)
    _ = try fixture.engine().process([fixture.fix(0, 0), fixture.fix(10, 5)], at: fixture.clock.now)
    #expect(try kept().isEmpty)
    let last = try fixture.store.read { try $0.devices() }.first?.lastFix?.time
    #expect(last == LiveAlarmFixture.start.adding(seconds: 10))

    let engine = try fixture.engine(keepsHistory: true)
    let fixes = [
      fixture.fix(20, 0), fixture.fix(30, 5), fixture.fix(30, 5), fixture.fix(20, 0, device: "watch"),
    ]
    _ = try engine.process(fixes, at: fixture.clock.now)
    // The same positions again after a restart.
    _ = try fixture.engine(keepsHistory: true).process(fixes, at: fixture.clock.now)
    #expect(try kept() == ["phone 20", "phone 30", "watch 20"])
    #expect(try kept("watch") == ["watch 20"])
    #expect(try fixture.store.read { try $0.oldestPosition() } == LiveAlarmFixture.start.adding(seconds: 20))
    try fixture.store.write { try $0.removeHistory(before: LiveAlarmFixture.start.adding(seconds: 30)) }
    #expect(try kept() == ["phone 30"])
    try fixture.store.write { try $0.forgetDevices(named: "phone") }
    #expect(try kept().isEmpty)
    #expect(try fixture.store.read { try $0.oldestPosition() } == nil)
  }
}
