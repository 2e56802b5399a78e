import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing
import FencepostRecurrence
import Testing

@Suite("Stays whose alarm is edited")
struct StayTests {
  private let fixture: EngineFixture
  private var item: CalendarItem

  /// A device has been inside since 7 s after the start.
  init() throws {
    fixture = try EngineFixture()
    item = try fixture.reminder("Stay", EngineFixture.alarm(.dwell(seconds: 600)))
    _ = try fixture.engine().process([fixture.fix(0, -300), fixture.fix(10, 0)])
    #expect(try stays() == [607])
  }

  private func stays() throws -> [Int] {
    try fixture.store.read { try $0.dueTimes(until: .distantFuture) }.filter { $0.kind == .dwell }.map {
      Int($0.time.seconds(since: EngineFixture.start).rounded())
    }
  }

  /// What goes off until three hours after the start, the device being where it was, after a change.
  private func firings(_ change: (inout CalendarItem) -> Void) throws -> [String] {
    var item = item
    change(&item)
    item.lastModified = EngineFixture.start.adding(seconds: 20)
    try fixture.store.write { [item] in try $0.save(item) }
    let engine = try fixture.engine()
    let firings = try engine.process([fixture.fix(30, 1)])
    return EngineFixture.short(
      firings + (try engine.advance(to: EngineFixture.start.adding(seconds: 10_800))))
  }

  @Test("An edit of something else leaves it")
  func title() throws { #expect(try firings { $0.title = "Still" } == ["dwell Stay 607"]) }

  @Test("It ends when the new rule says, reckoned from when it began", arguments: [60, 7_200])
  func seconds(seconds: Int) throws {
    #expect(
      try firings { $0.alarms[0].proximity?.event = .dwell(seconds: seconds) } == [
        "dwell Stay \(seconds + 7)"
      ])
  }

  @Test("It is called off where the alarm waits for something else")
  func event() throws {
    #expect(try firings { $0.alarms[0].proximity?.event = .enter } == [])
    #expect(try stays() == [])
  }

  @Test("It is called off where the place is another one, and what was inside has not left that")
  func place() throws {
    let elsewhere = EngineFixture.alarm(.enter, at: 5_000).proximity?.location
    #expect(
      try firings {
        $0.alarms[0].proximity?.location = elsewhere ?? StructuredLocation(title: "")
        var leave = EngineFixture.alarm(.leave)
        leave.proximity?.location.title = "Unmoved"
        $0.alarms.append(leave)
      } == [])
    #expect(try stays() == [])
  }

  @Test("It begins anew where the place was moved, and the device is there too")
  func nudged() throws {
    let near = EngineFixture.alarm(.enter, at: 20).proximity?.location
    #expect(
      try firings { $0.alarms[0].proximity?.location = near ?? StructuredLocation(title: "") } == [
        "dwell Stay 630"
      ])
  }

  @Test(
    "The stay of a device that was erased does not go off, and gives it no number", arguments: [true, false])
  func erased(isErased: Bool) throws {
    if isErased { try fixture.store.write { try $0.removeDevices(named: ["phone"]) } }
    let devices = DeviceRegistry()
    let later = EngineFixture.start.adding(seconds: 700)
    let engine = try AlarmEngine(
      store: fixture.store, journal: StoreJournal(store: fixture.store), policy: .exact,
      schedule: AlarmSchedule(resolver: fixture.resolver), devices: devices, start: later,
      clock: .wall(lateAfter: 3_600))
    let firings = try engine.advance(to: later.adding(seconds: 1_000))
    #expect(EngineFixture.short(firings) == (isErased ? [] : ["dwell Stay 607"]))
    #expect(try engine.nextDue() == nil && stays().isEmpty && devices.names.isEmpty)
  }

  @Test("An alarm for leaving whose place is moved away does not go off")
  func moved() throws {
    let fixture = try EngineFixture()
    var item = try fixture.reminder("Leave", EngineFixture.alarm(.leave))
    _ = try fixture.engine().process([fixture.fix(0, -300), fixture.fix(10, 0)])
    item.alarms[0].proximity?.location = try #require(
      EngineFixture.alarm(.leave, at: 5_000).proximity?.location)
    try fixture.store.write { [item] in try $0.save(item) }
    #expect(try fixture.engine().process([fixture.fix(20, 1), fixture.fix(40, -300)]).isEmpty)
  }
}
