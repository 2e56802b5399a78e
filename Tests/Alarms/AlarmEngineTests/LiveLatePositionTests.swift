import FencepostAlarmTestSupport
import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import Testing

/// Positions that a broker or a phone kept, or that come twice.
@Suite("Late positions")
struct LiveLatePositionTests {
  let fixture: LiveAlarmFixture

  init() throws {
    fixture = try LiveAlarmFixture()
    try fixture.reminder("In", LiveAlarmFixture.alarm(.enter))
    try fixture.reminder("Out", LiveAlarmFixture.alarm(.leave))
  }

  /// The firings when positions arrive one after the other, a day after the first of them.
  private func firings(_ fixes: (seconds: Double, metres: Double)...) throws -> [String] {
    let engine = try fixture.engine()
    fixture.clock.advance(by: 86_400)
    return try fixes.flatMap { fix in
      LiveAlarmFixture.short(
        try engine.process([fixture.fix(fix.seconds, fix.metres)], at: fixture.clock.now))
    }
  }

  @Test("The first position of a device sets its state without an alarm, even if it is old")
  func first() throws {
    #expect(try firings((0, 0)) == [])
    #expect(try fixture.ledger().isEmpty)
  }

  @Test("A position that is older than the known ones changes nothing")
  func older() throws {
    #expect(try firings((1_000, 5_000), (0, 0), (1_060, 5_000)) == [])
  }

  @Test("Positions that come at once count in their own order", arguments: [0, 1, 2, 3])
  func together(rotation: Int) throws {
    let fixes = [(0.0, 5_000.0), (600, 0), (1_200, 5_000), (1_800, 0)]
    let order = rotation == 3 ? fixes.reversed() : Array(fixes[rotation...] + fixes[..<rotation])
    let engine = try fixture.engine()
    fixture.clock.advance(by: 86_400)
    let firings = LiveAlarmFixture.short(
      try engine.process(order.map { fixture.fix($0.0, $0.1) }, at: fixture.clock.now))
    #expect(firings == ["enter In 588 late", "leave Out 612 late", "enter In 1788 late"])
  }

  @Test(
    "What a phone saved up before an alarm was made does not set it off",
    arguments: [false, true])
  func beforeTheAlarm(isRestarted: Bool) throws {
    var engine = try fixture.engine()
    _ = try engine.process([fixture.fix(0, 5_000)], at: fixture.clock.now)
    fixture.clock.set(LiveAlarmFixture.start.adding(seconds: 3_600))
    for event in [ProximityTrigger.Event.enter, .leave] {
      var item = try fixture.reminder("New \(event.name)", LiveAlarmFixture.alarm(event, at: 2_000))
      item.created = fixture.clock.now
      try fixture.store.write { [item] in try $0.save(item) }
    }
    if isRestarted { engine = try fixture.engine() }
    // The first one is the first look at the new alarms, and the others are as old.
    let saved = [(600.0, 4_000.0), (1_200, 2_000), (1_800, 2_000), (2_400, 4_000), (3_000, 4_000)]
    let now = LiveAlarmFixture.start.adding(seconds: 3_700)
    fixture.clock.set(now)
    #expect(try engine.process(saved.map { fixture.fix($0.0, $0.1) }, at: now).isEmpty)
    // What happens later does, in one go with a later edit of the title.
    var item = try #require(try fixture.store.read { try $0.item(Identifier(rawValue: "New enter")) })
    item.title = "Newer"
    item.lastModified = LiveAlarmFixture.start.adding(seconds: 5_000)
    try fixture.store.write { [item] in try $0.save(item) }
    let later = [(3_800.0, 4_000.0), (4_200, 2_000), (4_800, 4_000)]
    let firings = try engine.process(
      later.map { fixture.fix($0.0, $0.1) }, at: LiveAlarmFixture.start.adding(seconds: 5_001))
    #expect(firings.map(\.item.rawValue) == ["New enter", "New leave"])
  }

  @Test("The first positions of a new device count, also for an alarm that is newer than they are")
  func newDevice() throws {
    let engine = try fixture.engine()
    _ = try engine.process([fixture.fix(0, 5_000)], at: fixture.clock.now)
    fixture.clock.set(LiveAlarmFixture.start.adding(seconds: 3_600))
    try fixture.reminder("New", LiveAlarmFixture.alarm(.enter, at: 2_000))
    _ = try engine.wake(at: fixture.clock.now.adding(seconds: 1))
    let ride = [(600.0, 4_000.0), (1_200, 3_000), (1_800, 2_000)]
    let firings = try engine.process(
      ride.map { fixture.fix($0.0, $0.1, device: "walker") }, at: fixture.clock.now.adding(seconds: 2))
    #expect(firings.map(\.item.rawValue) == ["New"])
  }

  @Test("A repeated position counts once")
  func twice() throws {
    #expect(
      try firings((0, 5_000), (600, 0), (600, 0), (0, 5_000), (600, 0), (660, 0)) == ["enter In 588 late"])
  }

  @Test("A crossing while the daemon was away triggers one alarm, with its time")
  func away() throws {
    #expect(try firings((0, 5_000)) == [])
    // After a restart, the broker sends its messages, the last one twice.
    #expect(
      try firings((600, 0), (1_200, 5_000), (1_200, 5_000)) == ["enter In 588 late", "leave Out 612 late"])
    #expect(try firings((1_200, 5_000)) == [])
    #expect(try fixture.ledger().count == 2)
  }
}
