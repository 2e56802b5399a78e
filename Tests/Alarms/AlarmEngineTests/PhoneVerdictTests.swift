import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostGeofencing
import FencepostTestSupport
import Testing

@Suite("What phones conclude themselves")
struct PhoneVerdictTests {
  private let fixture: EngineFixture

  init() throws { fixture = try EngineFixture() }

  private func fix(_ seconds: Double, _ metres: Double, _ verdict: PhoneVerdict? = nil) -> Fix {
    var fix = fixture.fix(seconds, metres)
    fix.horizontalAccuracy = 30
    fix.verdict = verdict
    return fix
  }

  private func firings(_ fixes: [Fix]) throws -> [Firing] {
    try fixture.dryRun(policy: .robust).process(fixes)
  }

  private func number(of title: String) throws -> Int64 {
    var fences: [StoredFence] = []
    try fixture.store.read { reader in try reader.forEachFence { fences.append($0) } }
    let items = try fences.map { fence in try fixture.store.read { try $0.item(fence.item)?.title } }
    return try #require(zip(fences, items).first { $0.1 == title }).0.number
  }

  @Test("A single message of a region that the phone was given is believed, wherever its position says it is")
  func given() throws {
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    try fixture.reminder("Out", EngineFixture.alarm(.leave))
    try fixture.reminder("Elsewhere", EngineFixture.alarm(.enter, at: 300))
    let key = WaypointKey(fence: try number(of: "In"))
    let fixes = [
      fix(0, 9_000), fix(7_200, 130, PhoneVerdict(.enter, of: key)),
      fix(14_400, 60, PhoneVerdict(.leave, of: key)),
    ]
    let firings = try firings(fixes)
    // The alarm of the same extent is meant, too.
    #expect(firings.map(\.kind) == [.enter, .leave])
    #expect(firings.map(\.time) == fixes.dropFirst().map(\.time))
    #expect(firings.map(\.crossing?.source) == [.phone, .phone])
    // Twice is once; and as the first that is ever heard it counts as well.
    #expect(try self.firings([fixes[1], fixes[1], fixes[1]]).map(\.kind) == [.enter])
  }

  @Test("A region that a phone got for an alarm that is silent now still means the other alarms there")
  func silenced() throws {
    var done = try fixture.reminder("Done", EngineFixture.alarm(.enter))
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    try fixture.reminder("Wider", EngineFixture.alarm(.enter, radius: 200))
    let key = WaypointKey(fence: try number(of: "Done"))
    guard case .reminder(var reminder) = done.details else { return }
    reminder.complete(at: EngineFixture.start)
    done.details = .reminder(reminder)
    try fixture.store.write { [done] in try $0.save(done) }
    let fixes = [fix(0, 9_000), fix(7_200, 260, PhoneVerdict(.enter, of: key))]
    #expect(try firings(fixes).map(\.item.rawValue) == ["In"])
    let gone = [fix(0, 9_000), fix(7_200, 260, PhoneVerdict(.enter, of: WaypointKey(fence: 99)))]
    #expect(try firings(gone).isEmpty)
  }

  @Test("A waypoint that was imported is known by the phone's own key")
  func imported() throws {
    let alarm = EngineFixture.alarm(.enter)
    try fixture.store.write { writer in
      let list = try writer.defaultCalendar(for: .reminders).id
      var item = CalendarItem(
        id: .init(rawValue: "owntracks-1700000000"), calendar: list, title: "Home",
        details: .reminder(ReminderDetails()))
      item.alarms = [alarm]
      try writer.save(item)
    }
    let enter = PhoneVerdict(.enter, of: WaypointKey(stamp: 1_700_000_000))
    #expect(try firings([fix(0, 9_000), fix(7_200, 140, enter)]).map(\.crossing?.source) == [.phone])
    let other = PhoneVerdict(.enter, of: WaypointKey(stamp: 1_700_000_001))
    #expect(try firings([fix(0, 9_000), fix(7_200, 140, other)]).isEmpty)
  }

  @Test(
    "Of a region that is no fence, the position counts in full", arguments: [PhoneVerdict.Kind.enter, .visit])
  func unknown(kind: PhoneVerdict.Kind) throws {
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    let fixes = [fix(0, 9_000), fix(7_200, 40, PhoneVerdict(kind))]
    let firings = try firings(fixes)
    #expect(firings.map(\.kind) == [.enter])
    #expect(firings.first?.wentOffAt == fixes[1].time)
    #expect(firings.first?.crossing?.source == .phone)
  }

  @Test("The first thing that is heard of a phone may be that it came")
  func first() throws {
    try fixture.reminder("Small", EngineFixture.alarm(.enter))
    try fixture.reminder("Large", EngineFixture.alarm(.enter, radius: 20_000))
    #expect(try firings([fix(0, 40, PhoneVerdict(.enter))]).compactMap(\.place?.radius) == [100])
    #expect(try firings([fix(0, 40)]).isEmpty)
    #expect(try firings([fix(0, 40, PhoneVerdict(.leave))]).isEmpty)
  }

  @Test("What is late, of no fence, or of one that was removed, changes nothing")
  func nothing() throws {
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    let key = WaypointKey(fence: try number(of: "In"))
    for verdict in [
      PhoneVerdict(.enter, of: WaypointKey(fence: 999)), PhoneVerdict(.enter, of: WaypointKey(text: "?")),
      PhoneVerdict(.departure, of: key), PhoneVerdict(.wakened, of: key),
    ] {
      #expect(try firings([fix(0, 9_000), fix(7_200, 8_000, verdict)]).isEmpty)
    }
    let late = fix(3_600, 9_000, PhoneVerdict(.enter, of: key))
    #expect(try firings([fix(0, 9_000), fix(7_200, 9_000), late]).isEmpty)
  }

  @Test(
    "A phone that goes on reporting that it is inside does not leave and come back with each message",
    arguments: [PhoneVerdict.Kind.inside, .enter])
  func repeated(kind: PhoneVerdict.Kind) throws {
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    try fixture.reminder("Out", EngineFixture.alarm(.leave))
    let key = WaypointKey(fence: try number(of: "In"))
    // Systems wait until a phone is 200 m past the boundary before they say that it left.
    let inside = (0..<10).map { fix(3_600 + Double($0) * 60, 190 + Double($0), PhoneVerdict(kind, of: key)) }
    let left = fix(7_200, 320, PhoneVerdict(.leave, of: key))
    let firings = try firings([fix(0, 9_000)] + inside + [left])
    #expect(firings.map(\.kind) == [.enter, .leave])
    #expect(firings.map(\.crossing?.source) == [.phone, .phone])
    #expect(firings.first?.time == inside.first?.time)
    #expect(try #require(firings.last).time >= inside[9].time)
  }

  @Test("A phone that missed its own leave, and reports a region from kilometres away, leaves it once")
  func stale() throws {
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    try fixture.reminder("Out", EngineFixture.alarm(.leave))
    let inside = PhoneVerdict(.inside, of: WaypointKey(fence: try number(of: "In")))
    let at = (0..<5).map { fix(3_600 + Double($0) * 60, 40 + Double($0), inside) }
    let away = (0..<20).map { fix(3_900 + Double($0) * 60, 500 + Double($0) * 400, inside) }
    #expect(try firings([fix(0, 9_000)] + at + away).map(\.kind) == [.enter, .leave])
    // From there, nobody arrives either.
    #expect(try firings([fix(0, 9_000)] + away).isEmpty)
  }

  @Test("Positions that come late do not repeat what the phone reported")
  func lateAfterReport() throws {
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    let key = WaypointKey(fence: try number(of: "In"))
    let late = (0..<5).map { fix(3_500 + Double($0) * 20, 40 - Double($0) * 5) }
    let firings = try firings([fix(0, 9_000), fix(3_600, 190, PhoneVerdict(.enter, of: key))] + late)
    #expect(firings.map(\.crossing?.source) == [.phone])
  }

  @Test("No leave is dated before the report of the arrival, even if its position is useless")
  func leavesAfterReport() throws {
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    try fixture.reminder("Out", EngineFixture.alarm(.leave))
    let key = WaypointKey(fence: try number(of: "In"))
    var enter = fix(3_600, 30, PhoneVerdict(.enter, of: key))
    enter.horizontalAccuracy = 5_000
    let leave = fix(7_200, 320, PhoneVerdict(.leave, of: key))
    let engine = try fixture.dryRun(policy: .robust)
    let firings = try engine.process([fix(0, 9_000), enter, leave])
    #expect(firings.map(\.kind) == [.enter, .leave])
    #expect(firings.first?.time == enter.time)
    #expect(try #require(firings.last).time >= enter.time && #require(firings.last).time <= leave.time)
    // The same after a restart in between.
    _ = try fixture.engine(policy: .robust).process([fix(0, 9_000), enter])
    let second = try fixture.engine(policy: .robust).process([leave])
    #expect(second.map(\.time) == firings.dropFirst().map(\.time))
  }

  @Test("Who passes by in a car is told of where the alarm wants it", arguments: [false, true])
  func passing(wants: Bool) throws {
    try fixture.reminder("By", EngineFixture.alarm(.enter) { $0.includesPassing = wants })
    // A fix each ten seconds at 60 km/h: one of them is inside, or two.
    let offsets = stride(from: 0.0, to: 160, by: 40)
    let counts = try offsets.map { offset in
      let fixes = (0..<40).map { step in
        var fix = fixture.fix(Double(step) * 10, -3_300 + offset + Double(step) * 167)
        fix.horizontalAccuracy = 10
        return fix
      }
      return try firings(fixes).count
    }
    #expect(wants ? counts == [1, 1, 1, 1] : counts.reduce(0, +) <= 1)
  }
}
