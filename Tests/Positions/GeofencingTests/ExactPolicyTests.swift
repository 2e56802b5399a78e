import FencepostGeodesy
import FencepostGeofencing
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@Suite("The exact policy")
struct ExactPolicyTests {
  let home = Coordinate(latitude: 47, longitude: 8)

  /// A fix so many metres east of home.
  func fix(_ second: Int64, _ east: Double, startsSegment: Bool = false) -> Fix {
    Fix(
      time: Instant(seconds: second), coordinate: Geodesic.destination(from: home, azimuth: 90, metres: east),
      startsSegment: startsSegment)
  }

  func fence(_ number: Int64 = 1, radius: Double = 100, revision: Int64? = nil, tells: Bool = false) -> Fence
  {
    Fence(
      id: FenceID(rawValue: number), region: .circle(center: home, radius: radius), revision: revision,
      reportsInitialPresence: tells)
  }

  @Test("A crossing is dated where the straight way meets the boundary")
  func interpolation() {
    let fixes = [fix(0, -300), fix(100, -50), fix(200, 50), fix(300, 150), fix(250, 0), fix(300, 0)]
    let result = run(fixes, against: [fence()], .exact)
    #expect(result.transitions.map(\.kind) == [.enter, .leave])
    #expect(result.transitions.map(\.isInterpolated) == [true, true])
    #expect(result.transitions.map { ($0.time.secondsSince1970 * 1000).rounded() } == [80_000, 250_000])
    #expect(result.transitions.map(\.confirmedAt) == [nil, nil])
    #expect(result.counts.admitted == 4)
    #expect(result.counts[.late] == 1)
    #expect(result.counts[.duplicate] == 1)
  }

  @Test("Across a break of the track the crossing is dated by the fix")
  func segmentBreak() {
    let result = run([fix(0, -300), fix(100, 0, startsSegment: true)], against: [fence()], .exact)
    #expect(result.transitions.map(\.time) == [Instant(seconds: 100)])
    #expect(result.transitions.map(\.isInterpolated) == [false])
  }

  @Test("The first fix is silent, and so is a fence crossed between two fixes")
  func silence() {
    #expect(run([fix(0, 0), fix(9, 10)], against: [fence()], .exact).transitions.isEmpty)
    #expect(run([fix(0, -300), fix(9, 300)], against: [fence()], .exact).transitions.isEmpty)
  }

  @Test(
    "A fix that is not on the globe is turned away",
    arguments: [
      (91.0, 0.0), (0, 180.1), (-90.5, 3), (.nan, 0), (0, .infinity),
    ])
  func badCoordinate(latitude: Double, longitude: Double) {
    let bad = Fix(
      time: Instant(seconds: 5), coordinate: Coordinate(latitude: latitude, longitude: longitude))
    for policy in [Policy.exact, .robust] {
      let result = run([fix(0, 0), bad, fix(10, 0)], against: [fence()], policy)
      #expect(result.counts[.badCoordinate] == 1)
      #expect(result.transitions.isEmpty)
    }
  }

  @Test(
    "A fence that asks is told of a device that is inside already, once", arguments: [Policy.exact, .robust])
  func initialPresence(policy: Policy) {
    let result = run([fix(0, 0), fix(9, 1)], against: [fence(1, tells: true), fence(2)], policy)
    #expect(result.transitions.map(\.fence.rawValue) == [1])
    #expect(result.transitions.map(\.isInitial) == [true])
    #expect(result.transitions.map(\.kind) == [.enter])
  }

  @Test("A fence made while a device is inside is left, not entered", arguments: [Policy.exact, .robust])
  func madeWhileInside(policy: Policy) {
    var evaluator = FenceEvaluator(policy: policy)
    var state = DeviceState()
    var transitions: [Transition] = []
    evaluator.evaluate(fix(0, 0), state: &state, into: &transitions)
    evaluator.index.insert(fence(7, revision: 1))
    evaluator.index.insert(fence(8, revision: 2, tells: true))
    #expect(evaluator.isInside(FenceID(rawValue: 7), state) == nil)
    evaluator.evaluate(fix(10, 5), state: &state, into: &transitions)
    #expect(evaluator.isInside(FenceID(rawValue: 7), state) == true)
    #expect(evaluator.fencesInside(state).map(\.rawValue) == [7, 8])
    #expect(transitions.map(\.isInitial) == [true])
    for step in 1...9 as ClosedRange<Int64> {
      evaluator.evaluate(fix(10 + step * 20, Double(step) * 60), state: &state, into: &transitions)
    }
    #expect(transitions.dropFirst().map(\.kind) == [.leave, .leave])
    #expect(transitions.dropFirst().map(\.fence.rawValue) == [7, 8])
    #expect(evaluator.fencesInside(state).isEmpty)
  }

  @Test(
    "A fence made between two fixes, on either side of it, is crossed at the second",
    arguments: [Policy.exact, .robust], [(-600, .enter), (0, .leave)] as [(Double, Transition.Kind)])
  func madeBetween(policy: Policy, way: (from: Double, kind: Transition.Kind)) throws {
    var evaluator = FenceEvaluator(policy: policy)
    var state = DeviceState()
    var transitions: [Transition] = []
    evaluator.evaluate(fix(0, way.from), state: &state, into: &transitions)
    evaluator.index.insert(fence(7, radius: 150, revision: 1))
    evaluator.index.insert(fence(8, radius: 150, revision: 2, tells: true))
    for step in 1...4 as ClosedRange<Int64> {
      let there = way.kind == .enter ? 0.0 : -600
      evaluator.evaluate(fix(step * 600, there + Double(step)), state: &state, into: &transitions)
      // What is in doubt is saved with the rest.
      state = try DeviceState(decoding: state.encoded())
    }
    let crossed = transitions.filter { $0.fence.rawValue == 7 }
    #expect(crossed.map(\.kind) == [way.kind])
    #expect(crossed.map(\.isFirstLook) == [true])
    #expect(try #require(crossed.first).time < Instant(seconds: 600))
    // Who is told of presence is told of it, not of an arrival too.
    #expect(transitions.filter { $0.fence.rawValue == 8 }.map(\.kind) == [way.kind])
  }

  @Test("A fence made where the fix before left it in doubt is looked at, not crossed")
  func madeInDoubt() {
    var evaluator = FenceEvaluator(policy: .robust)
    var state = DeviceState()
    var transitions: [Transition] = []
    evaluator.evaluate(fix(0, 110), state: &state, into: &transitions)
    evaluator.index.insert(fence(7, revision: 1))
    for step in 1...9 as ClosedRange<Int64> {
      evaluator.evaluate(fix(step * 60, Double(step)), state: &state, into: &transitions)
    }
    #expect(transitions.isEmpty)
    #expect(evaluator.isInside(FenceID(rawValue: 7), state) == true)
  }

  @Test(
    "A fence that is moved, or removed, under a device makes no crossing", arguments: [Policy.exact, .robust])
  func movedAndRemoved(policy: Policy) {
    var evaluator = FenceEvaluator(
      policy: policy, index: FenceIndex([fence(1, revision: 1), fence(2, revision: 2)]))
    var state = DeviceState()
    var transitions: [Transition] = []
    evaluator.evaluate(fix(0, 0), state: &state, into: &transitions)
    let far = Geodesic.destination(from: home, azimuth: 90, metres: 5_000)
    evaluator.index.insert(
      Fence(id: FenceID(rawValue: 1), region: .circle(center: far, radius: 100), revision: 3))
    evaluator.index.remove(FenceID(rawValue: 2))
    evaluator.evaluate(fix(10, 0), state: &state, into: &transitions)
    #expect(transitions.isEmpty)
    #expect(evaluator.fencesInside(state).isEmpty)
    for step in 1...60 as ClosedRange<Int64> {
      evaluator.evaluate(fix(10 + step * 40, Double(step) * 100), state: &state, into: &transitions)
    }
    #expect(transitions.map(\.kind) == [.enter, .leave])
    #expect(transitions.map(\.fence.rawValue) == [1, 1])
  }

  @Test(
    "Containment and crossings are those of geodesics", arguments: Spot.allCases, 1...4 as ClosedRange<UInt64>
  )
  func equalsBruteForce(spot: Spot, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let spread = seed == 4 ? 400_000.0 : 6_000
    let fences = randomFences(
      60, around: spot.center, spread: spread, radii: seed == 4 ? 20...400_000 : 20...3_000, using: &random)
    let fixes = randomTrack(150, around: spot.center, spread: spread, using: &random)

    var expected: [Transition] = []
    for (last, fix) in zip(fixes, fixes.dropFirst()) {
      for fence in fences {
        guard case .circle(let center, let radius) = fence.region else { continue }
        let before = Geodesic.distance(from: center, to: last.coordinate) <= radius
        let after = Geodesic.distance(from: center, to: fix.coordinate) <= radius
        if before == after { continue }
        // By halves, where the geodesic way between the fixes meets the boundary.
        var low = 0.0
        var high = 1.0
        for _ in 0..<40 {
          let middle = (low + high) / 2
          let there = Geodesic.interpolate(from: last.coordinate, to: fix.coordinate, fraction: middle)
          if (Geodesic.distance(from: center, to: there) <= radius) == before {
            low = middle
          } else {
            high = middle
          }
        }
        let time = last.time.adding(seconds: fix.time.seconds(since: last.time) * low)
        expected.append(Transition(fence: fence.id, kind: after ? .enter : .leave, time: time, fix: fix))
      }
    }
    let actual = run(fixes, against: fences, .exact).transitions
    func byFix(_ a: Transition, _ b: Transition) -> Bool { (a.fix.time, a.fence) < (b.fix.time, b.fence) }
    let pairs = zip(actual.sorted(by: byFix), expected.sorted(by: byFix))
    #expect(actual.count == expected.count, "seed \(seed)")
    #expect(expected.count > 50)
    for (one, other) in pairs {
      #expect(one.fence == other.fence && one.kind == other.kind && one.fix == other.fix, "seed \(seed)")
      #expect(abs(one.time.seconds(since: other.time)) < 0.05, "seed \(seed), fence \(one.fence.rawValue)")
    }
  }
}
