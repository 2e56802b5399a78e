@testable import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostGeofencing
import FencepostRecurrence
import FencepostTestSupport
import Testing

@Suite("Fences that are loaded as devices come near")
struct FenceLoaderTests {
  /// A walk of big and small steps over the corner of tiles at `corner`, among random fences.
  @Test(
    "They do what fences do that were there all along",
    arguments: [
      Coordinate(latitude: 50, longitude: 10), Coordinate(latitude: 0, longitude: 180),
      Coordinate(latitude: -17, longitude: -180), Coordinate(latitude: 89.9, longitude: 30),
      Coordinate(latitude: -89.95, longitude: -120),
    ], [Policy.exact, .robust])
  func asIfLoaded(corner: Coordinate, policy: Policy) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      var random = SeededRandom(seed: seed)
      let fixture = try EngineFixture()
      func point(within metres: Double) -> Coordinate {
        Geodesic.destination(
          from: corner, azimuth: .random(in: 0..<360, using: &random),
          metres: .random(in: 0..<metres, using: &random))
      }
      for number in 0..<60 {
        let place = StructuredLocation(
          title: "\(number)", coordinate: point(within: 30_000),
          radius: .random(in: 200..<8000, using: &random))
        try fixture.reminder("\(number)", Alarm(proximity: ProximityTrigger(.enter, at: place)))
      }
      var here = point(within: 20_000)
      var fixes: [Fix] = []
      for step in 0..<400 {
        let far = step % 97 == 96
        here = Geodesic.destination(
          from: far ? point(within: 400_000) : here, azimuth: .random(in: 0..<360, using: &random),
          metres: .random(in: 0..<(far ? 10 : 900), using: &random))
        fixes.append(
          Fix(
            device: fixture.devices.number(of: "phone"),
            time: EngineFixture.start.adding(seconds: Double(step) * 60), coordinate: here,
            horizontalAccuracy: 10))
        if far { here = point(within: 20_000) }
      }

      var expected: [Transition] = []
      var all: [Fence] = []
      try fixture.store.read { reader in
        try reader.forEachFence { all.append(Fence(id: FenceID(rawValue: $0.number), region: $0.region)) }
      }
      let evaluator = FenceEvaluator(policy: policy, index: FenceIndex(all))
      var state = DeviceState()
      for fix in fixes { evaluator.evaluate(fix, state: &state, into: &expected) }

      let engine = try fixture.dryRun(policy: policy)
      var found: [Transition] = []
      engine.onTransition = { transition, _ in found.append(transition) }
      _ = try engine.process(fixes)
      #expect(found == expected, "seed \(seed)")
      #expect(!expected.isEmpty)
    }
  }

  @Test("Each silent alarm of a shared fence is told by its own number")
  func sharedSuppressions() throws {
    let fixture = try EngineFixture()
    var item = CalendarItem(
      id: .init(rawValue: "i"), calendar: fixture.list.id, title: "i", details: .reminder(ReminderDetails()))
    item.alarms = (0..<2).map { _ in EngineFixture.alarm(.enter) { $0.devices = ["watch"] } }
    try fixture.store.write { [item] in try $0.save(item) }
    let engine = try fixture.dryRun()
    var told: [Int64] = []
    engine.onSuppression = { fence, transition, reason in
      #expect(reason == .otherDevice && fence.number == transition.fence.rawValue)
      told.append(fence.number)
    }
    #expect(try engine.process([fixture.fix(0, 900), fixture.fix(60, 0)]).isEmpty)
    #expect(told.count == 2 && told[1] == told[0] + 1)
    #expect(engine.tracker.evaluator.index.count == 1)
  }

  /// A dry run lets alarms share fences; an engine that keeps states does not.
  @Test("Alarms that share a fence go off as if each had its own", arguments: [Policy.exact, .robust])
  func shared(policy: Policy) throws {
    for seed in 1...8 as ClosedRange<UInt64> {
      var random = SeededRandom(seed: seed)
      let fixture = try EngineFixture()
      for number in 0..<20 {
        let metres = Double.random(in: 0..<2_000, using: &random)
        let alarms = (0..<Int.random(in: 1...4, using: &random)).map { _ in
          let events: [ProximityTrigger.Event] = [.enter, .leave, .dwell(seconds: 60)]
          return EngineFixture.alarm(
            events.randomElement(using: &random) ?? .enter, at: metres,
            radius: Bool.random(using: &random) ? 150 : 250
          ) {
            $0.firesIfInside = Int.random(in: 0..<4, using: &random) == 0
            $0.includesPassing = Int.random(in: 0..<4, using: &random) == 0
            $0.frequency = Bool.random(using: &random) ? .once : .always
          }
        }
        var item = CalendarItem(
          id: .init(rawValue: "\(number)"), calendar: fixture.list.id, title: "\(number)",
          details: .reminder(ReminderDetails()))
        item.alarms = alarms
        try fixture.store.write { [item] in try $0.save(item) }
      }
      var metres = 0.0
      let fixes = (0..<600).map { step in
        metres += Double.random(in: -120..<125, using: &random)
        var fix = fixture.fix(Double(step) * 20, metres)
        if step % 37 == 0 {
          let number = Int64.random(in: 1...50, using: &random)
          fix.verdict = PhoneVerdict(
            Bool.random(using: &random) ? .enter : .leave, of: WaypointKey(fence: number))
        }
        return fix
      }

      func outcome(_ engine: AlarmEngine) throws -> (
        firings: [Firing], transitions: [Transition], fences: Int
      ) {
        var transitions: [Transition] = []
        engine.onTransition = { transition, _ in transitions.append(transition) }
        // In two steps: the first leaves alarms in the cache.
        let firings =
          try engine.process(Array(fixes.prefix(300))) + engine.process(Array(fixes.dropFirst(300)))
        return (firings, transitions, engine.tracker.evaluator.index.count)
      }
      let sharing = try outcome(fixture.dryRun(policy: policy))
      let single = try outcome(fixture.engine(policy: policy))
      #expect(sharing.firings == single.firings, "seed \(seed)")
      #expect(sharing.transitions == single.transitions, "seed \(seed)")
      #expect(!single.firings.isEmpty)
      #expect(sharing.fences < single.fences)
    }
  }

  @Test(
    "A device's way is loaded where another device was here before it",
    arguments: [Coordinate(latitude: 20.5, longitude: 20.5), Coordinate(latitude: .nan, longitude: 0)])
  func another(first: Coordinate) throws {
    let fixture = try EngineFixture()
    let there = Coordinate(latitude: 10.5, longitude: 10.5)
    let here = Coordinate(latitude: 20.5, longitude: 20.5)
    let place = StructuredLocation(title: "There", coordinate: there, radius: 100)
    try fixture.reminder("Leave", Alarm(proximity: ProximityTrigger(.leave, at: place)))
    func fix(_ seconds: Double, _ coordinate: Coordinate, _ device: String) -> Fix {
      Fix(
        device: fixture.devices.number(of: device), time: EngineFixture.start.adding(seconds: seconds),
        coordinate: coordinate, horizontalAccuracy: 5)
    }
    #expect(try fixture.engine().process([fix(0, there, "B")]).isEmpty)
    // Another run: nothing of it is at hand.
    let fixes = [fix(9_000, here, "A"), fix(9_010, first, "B"), fix(9_020, here, "B")]
    #expect(try fixture.engine().process(fixes).map(\.kind) == [.leave])
  }
}
