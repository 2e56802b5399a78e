import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostGeofencing
import Testing

@testable import FencepostAlarmEngine

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
    alarms.follow(to: try fixture.store.read { try $0.lastChange() })
    #expect(alarms.facts(of: fences[0].number) == [])
    let place = try alarms.read(fences[0].number, in: fixture.store)
    #expect(alarms.facts(at: place) == [.isKnown, .awaitsEntering])
    for fence in fences.dropFirst() { alarms.keep(fence) }
    #expect(alarms.facts(of: fences[1].number) == [.isKnown, .awaitsLeaving])
    #expect(
      alarms.facts(of: fences[2].number) == [.isKnown, .awaitsEntering, .awaitsLeaving, .isLimited])
    #expect(alarms.limitedTrigger(of: fences[2].number, .isLimited)?.event == .dwell(seconds: 60))
    #expect(fences.map { alarms.fence($0.number) } == fences)
    // An alarm that is not there is known, but waits for nothing.
    let gone = fences[2].number + 1
    let none = try alarms.read(gone, in: fixture.store)
    #expect(alarms.facts(at: none) == .isKnown)
    #expect(alarms.fence(gone) == nil)
    #expect(alarms.facts(of: -1) == [] && alarms.facts(of: .max) == [])
  }

  @Test("After a change to the store, shared fences stay shared, and all else is read again")
  func change() throws {
    let (fixture, fences) = try stored([.enter, .leave, .enter])
    var alarms = FenceAlarms()
    alarms.follow(to: try fixture.store.read { try $0.lastChange() })
    alarms.keep(fences[0])
    alarms.share(fences[1])
    alarms.keep(fences[2])
    let first = FenceID(rawValue: fences[0].number)
    for _ in 1...2 {
      #expect(alarms.alarms(of: first) == fences[0].number...fences[1].number)
      #expect(alarms.fence(ofAlarm: fences[1].number) == first)
      try fixture.reminder("new", EngineFixture.alarm(.enter))
      alarms.follow(to: try fixture.store.read { try $0.lastChange() })
      #expect(alarms.facts(of: fences[0].number) == [])
      #expect(alarms.facts(of: fences[1].number) == .shares)
      #expect(alarms.fence(fences[1].number) == nil)
    }
    let place = try alarms.read(fences[1].number, in: fixture.store)
    #expect(alarms.facts(at: place) == [.isKnown, .shares, .awaitsLeaving])
  }

  @Test("The fence of each kind of trigger is as the store has it, and its limits are at hand")
  func limits() throws {
    let fixture = try EngineFixture()
    let place = StructuredLocation(title: "P", coordinate: Coordinate(latitude: 1, longitude: 2), radius: 50)
    let triggers = [
      ProximityTrigger(.enter, at: place), ProximityTrigger(.leave, at: place, firesIfInside: true),
      ProximityTrigger(.enter, at: place, firesIfInside: true, includesPassing: true),
      ProximityTrigger(.enter, at: place, frequency: .once),
      ProximityTrigger(.leave, at: place, frequency: .oncePerDay, devices: ["phone"]),
      ProximityTrigger(.leave, at: place, window: TimeWindow(weekdays: [.monday])),
      ProximityTrigger(.dwell(seconds: 9), at: place, includesPassing: true),
    ]
    for (number, trigger) in triggers.enumerated() {
      try fixture.reminder("\(number)", Alarm(proximity: trigger))
    }
    var fences: [StoredFence] = []
    try fixture.store.read { try $0.forEachFence { fences.append($0) } }
    var alarms = FenceAlarms()
    alarms.follow(to: try fixture.store.read { try $0.lastChange() })
    for fence in fences { alarms.keep(fence) }
    #expect(fences.map(\.trigger) == triggers)
    #expect(fences.map { alarms.fence($0.number) } == fences)
    #expect(fences.map { alarms.fence($0.number)?.subject.heading?.title } == (0..<7).map { "\($0)" })
    #expect(
      fences.map { alarms.limitedTrigger(of: $0.number, alarms.facts(of: $0.number)) != nil } == [
        false, false, false, true, true, true, true,
      ])
  }

  @Test("A limit that is taken away is no longer at hand")
  func limitTakenAway() throws {
    let fixture = try EngineFixture()
    var item = try fixture.reminder("In", EngineFixture.alarm(.enter) { $0.frequency = .once })
    var alarms = FenceAlarms()
    alarms.follow(to: try fixture.store.read { try $0.lastChange() })
    let number = try fixture.store.read { try $0.latestFenceNumber() }
    let before = try alarms.read(number, in: fixture.store)
    #expect(alarms.facts(at: before).contains(.isLimited))
    item.alarms[0].proximity?.frequency = .always
    try fixture.store.write { [item] in try $0.save(item) }
    alarms.follow(to: try fixture.store.read { try $0.lastChange() })
    let stored = try fixture.store.read { try $0.fences(of: item.id) }
    for fence in stored {
      let slot = try alarms.read(fence.number, in: fixture.store)
      #expect(!alarms.facts(at: slot).contains(.isLimited))
      #expect(alarms.fence(fence.number) == fence && fence.trigger.frequency == .always)
    }
    #expect(stored.count == 1)
  }

  @Test("The slot after another is found within a block and beyond its end")
  func slotAfter() throws {
    let (_, fences) = try stored(Array(repeating: .enter, count: 40))
    var alarms = FenceAlarms()
    for fence in fences { alarms.keep(fence) }
    for (fence, following) in zip(fences, fences.dropFirst()) {
      let slot = alarms.slot(after: alarms.slot(of: fence.number), fence.number)
      #expect(slot == alarms.slot(of: following.number))
      #expect(alarms.subject(at: slot) === following.subject)
    }
    #expect(alarms.slot(after: nil, .max) == nil)
  }
}

extension FenceAlarms {
  fileprivate func facts(of number: Int64) -> Facts { facts(at: slot(of: number)) }
}
