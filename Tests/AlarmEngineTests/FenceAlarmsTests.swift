import CalendarModel
import CalendarStore
import Geofencing
import Testing

@testable import AlarmEngine

@Suite("The cache of alarms by fence")
struct FenceAlarmsTests {
  /// A store with a reminder for each event, and their fences in the order of their numbers.
  private func stored(
    _ events: [ProximityTrigger.Event]
  ) throws -> (fixture: EngineFixture, fences: [StoredFence]) {
    let fixture = try EngineFixture()
    for (number, event) in events.enumerated() {
      try fixture.reminder("\(number)", EngineFixture.alarm(event, at: Double(number) * 500))
    }
    var fences: [StoredFence] = []
    try fixture.store.read { try $0.forEachFence { fences.append($0) } }
    return (fixture, fences)
  }

  @Test("It knows which crossing an alarm waits for")
  func facts() throws {
    let (fixture, fences) = try stored([.enter, .leave, .dwell(seconds: 60)])
    var alarms = FenceAlarms()
    try alarms.follow(fixture.store)
    #expect(alarms.facts(of: fences[0].number) == [])
    #expect(
      try alarms.read(fences[0].number, in: fixture.store) == [.isKnown, .awaitsEntering])
    for fence in fences.dropFirst() { alarms.keep(fence) }
    #expect(alarms.facts(of: fences[1].number) == [.isKnown, .awaitsLeaving])
    #expect(alarms.facts(of: fences[2].number) == [.isKnown, .awaitsEntering, .awaitsLeaving])
    #expect(fences.map { alarms.fence($0.number) } == fences)
    // An alarm that is not there is known, but waits for nothing.
    let gone = fences[2].number + 1
    #expect(try alarms.read(gone, in: fixture.store) == .isKnown)
    #expect(alarms.fence(gone) == nil)
    #expect(alarms.facts(of: -1) == [] && alarms.facts(of: .max) == [])
  }

  @Test("After a change to the store, shared fences stay shared, and all else is read again")
  func change() throws {
    let (fixture, fences) = try stored([.enter, .leave, .enter])
    var alarms = FenceAlarms()
    try alarms.follow(fixture.store)
    alarms.keep(fences[0])
    alarms.share(fences[1])
    alarms.keep(fences[2])
    let first = FenceID(rawValue: fences[0].number)
    for _ in 1...2 {
      #expect(alarms.alarms(of: first) == fences[0].number...fences[1].number)
      #expect(alarms.fence(ofAlarm: fences[1].number) == first)
      try fixture.reminder("new", EngineFixture.alarm(.enter))
      try alarms.follow(fixture.store)
      #expect(alarms.facts(of: fences[0].number) == [])
      #expect(alarms.facts(of: fences[1].number) == .shares)
      #expect(alarms.fence(fences[1].number) == nil)
    }
    #expect(
      try alarms.read(fences[1].number, in: fixture.store) == [.isKnown, .shares, .awaitsLeaving])
  }
}
