import AlarmEngine
import CalendarModel
import CalendarStore
import Recurrence
import Testing

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
      #expect(try follower.catchUp(to: EngineFixture.start))
      #expect(try due() == ["dwell 307", "relative \(hours * 3600)"])
    }
  }
}
