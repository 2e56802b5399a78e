import FencepostGeodesy
import FencepostGeofencing
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@Suite("Polygons")
struct PolygonTests {
  /// A ring around `center` whose corners are at random distances.
  func ring(
    _ corners: Int, around center: Coordinate, radius: ClosedRange<Double>, using random: inout SeededRandom
  )
    -> [Coordinate]
  {
    (0..<corners).map { number in
      Geodesic.destination(
        from: center, azimuth: Double(number) * 360 / Double(corners) - 180, metres: random.number(in: radius)
      )
    }
  }

  /// How often a ring goes around a point, by the azimuths of geodesics to points along its edges.
  func winding(of ring: [Coordinate], around point: Coordinate) -> Int {
    var turned = 0.0
    var last: Double?
    for (start, end) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      for step in 0..<40 {
        let there = Geodesic.interpolate(from: start, to: end, fraction: Double(step) / 40)
        let azimuth = Geodesic.inverse(from: point, to: there).azimuth
        if let last {
          let turn = azimuth - last
          turned += turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
        }
        last = azimuth
      }
    }
    return Int((turned / 360).rounded())
  }

  @Test("Containment is that of geodesic edges, holes cut out", arguments: Spot.allCases, [2_000.0, 300_000])
  func containment(spot: Spot, size: Double) {
    var random = SeededRandom(seed: 8)
    let exterior = ring(9, around: spot.center, radius: size / 2...size, using: &random)
    let hole = ring(5, around: spot.center, radius: size / 8...size / 4, using: &random)
    let other = Geodesic.destination(from: spot.center, azimuth: 60, metres: size * 3)
    let island = ring(4, around: other, radius: size / 4...size / 2, using: &random)
    let region = Region.polygons([
      Polygon(exterior: exterior, holes: [hole.reversed()]), Polygon(exterior: island.reversed()),
    ])
    let index = FenceIndex([Fence(id: FenceID(rawValue: 1), region: region)])
    var inside = 0
    for _ in 0..<120 {
      let point = Geodesic.destination(
        from: spot.center, azimuth: random.number(in: -180...180), metres: random.number(in: 0...size * 4))
      let expected =
        winding(of: exterior, around: point) != 0 && winding(of: hole, around: point) == 0
        || winding(of: island, around: point) != 0
      #expect(index.contains(FenceID(rawValue: 1), point) == expected, "\(point)")
      inside += expected ? 1 : 0
    }
    #expect(inside > 5)
    #expect(index.contains(FenceID(rawValue: 1), spot.center) == false)
  }

  @Test("A metre from the middle of a long edge, the geodesic decides", arguments: Spot.allCases)
  func tolerance(spot: Spot) {
    let corners = [0.0, 120, -120].map {
      Geodesic.destination(from: spot.center, azimuth: $0, metres: 400_000)
    }
    let index = FenceIndex([
      Fence(id: FenceID(rawValue: 1), region: .polygons([Polygon(exterior: corners)]))
    ])
    for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      for share in [0.1, 0.33, 0.5, 0.92] {
        let on = Geodesic.interpolate(from: start, to: end, fraction: share)
        let inward = Geodesic.inverse(from: on, to: spot.center).azimuth
        let within = Geodesic.destination(from: on, azimuth: inward, metres: 1)
        let without = Geodesic.destination(from: on, azimuth: inward, metres: -1)
        #expect(index.contains(FenceID(rawValue: 1), within) == true)
        #expect(index.contains(FenceID(rawValue: 1), without) == false)
      }
    }
  }

  @Test(
    "Steps across polygons and huge circles change what a full scan says", arguments: Spot.allCases,
    [8_000.0, 60_000])
  func steps(spot: Spot, spread: Double) {
    var random = SeededRandom(seed: 12)
    var fences = (0..<40).map { number in
      let center = Geodesic.destination(
        from: spot.center, azimuth: random.number(in: -180...180), metres: random.number(in: 0...spread))
      // The last ones reach around countries.
      let size = number < 35 ? 200.0 : 80_000
      let exterior = ring(7, around: center, radius: size...size * 10, using: &random)
      return Fence(id: FenceID(rawValue: Int64(number)), region: .polygons([Polygon(exterior: exterior)]))
    }
    for number in 40..<44 {
      // Their boundaries are near.
      let radius = random.number(in: 140_000...600_000)
      let center = Geodesic.destination(
        from: spot.center, azimuth: random.number(in: -180...180),
        metres: radius + random.number(in: -spread...spread))
      fences.append(
        Fence(id: FenceID(rawValue: Int64(number)), region: .circle(center: center, radius: radius)))
    }
    let evaluator = FenceEvaluator(policy: .exact, index: FenceIndex(fences))
    var state = DeviceState()
    var transitions: [Transition] = []
    var inside: Set<FenceID> = []
    var last: Fix?
    for fix in randomTrack(200, around: spot.center, spread: spread, using: &random) {
      transitions.removeAll()
      evaluator.evaluate(fix, state: &state, into: &transitions)
      // Each fence is asked by itself, past the index.
      let now = Set(
        fences.map(\.id).filter { evaluator.index.contains($0, fix.coordinate) ?? false })
      #expect(Set(evaluator.index.fences(containing: fix.coordinate)) == now)
      if let last {
        #expect(Set(transitions.map(\.fence)) == now.symmetricDifference(inside))
        for transition in transitions {
          // At the time told, the device is at the boundary: a moment before and after differ.
          let whole = fix.time.seconds(since: last.time)
          let share = transition.time.seconds(since: last.time) / whole
          let metres = Geodesic.distance(from: last.coordinate, to: fix.coordinate)
          let sides = [-0.05, 0.05].map { metre in
            evaluator.index.contains(
              transition.fence,
              Geodesic.interpolate(
                from: last.coordinate, to: fix.coordinate, fraction: share + metre / metres))
          }
          #expect(sides == [transition.kind == .leave, transition.kind == .enter])
        }
      }
      inside = now
      last = fix
    }
  }

  @Test("The robust policy takes polygons as it takes circles")
  func robust() {
    let square = [(-100.0, -100.0), (100, -100), (100, 100), (-100, 100)].map { east, north in
      let aside = Geodesic.destination(from: Story.center, azimuth: 90, metres: east)
      return Geodesic.destination(from: aside, azimuth: 0, metres: north)
    }
    let fence = Fence(id: FenceID(rawValue: 1), region: .polygons([Polygon(exterior: square)]))
    for story in Story.all {
      let transitions = run(story.fixes, against: [fence], .robust).transitions
      #expect(
        transitions.map { $0.kind == .enter ? "+" : "-" }.joined() == story.expected,
        "\(story.testDescription)")
    }
  }

  /// A ring of corners in metres east and north of the stories' place.
  func plan(_ corners: [(east: Double, north: Double)]) -> Region {
    let ring = corners.map { corner in
      let aside = Geodesic.destination(from: Story.center, azimuth: 90, metres: corner.east)
      return Geodesic.destination(from: aside, azimuth: 0, metres: corner.north)
    }
    return .polygons([Polygon(exterior: ring)])
  }

  @Test("Two fixes on either side of a polygon are a visit where the way round it is too long")
  func passages() throws {
    // 40 m in twelve seconds on either side, then 236 m across.
    let fixes = Story("", "", .init(5, every: 10, -1_100, to: -118), .init(1, every: 12, 118)).fixes
    let plans: [(name: String, corners: [(Double, Double)], isVisit: Bool)] = [
      ("a square in the way", [(-100, -100), (100, -100), (100, 100), (-100, 100)], true),
      ("a long one across the way", [(-60, -900), (60, -900), (60, 900), (-60, 900)], true),
      ("one whose corner is cut", [(-100, -10), (100, -10), (100, -200), (-100, -200)], false),
      ("a narrow one, which accuracy hides", [(-8, -100), (8, -100), (8, 100), (-8, 100)], false),
      (
        "two arms, and the way between them",
        [(-120, 40), (100, 40), (100, -40), (-120, -40), (-120, -300), (110, -300), (110, 300), (-120, 300)],
        false
      ),
      ("one beside the way", [(-100, 60), (100, 60), (100, 200), (-100, 200)], false),
    ]
    for plan in plans {
      let fence = Fence(id: FenceID(rawValue: 1), region: self.plan(plan.corners))
      let transitions = run(fixes, against: [fence], .robust).transitions
      #expect(transitions.map(\.kind) == (plan.isVisit ? [.enter, .leave] : []), "\(plan.name)")
      guard plan.isVisit else { continue }
      let enter = try #require(transitions.first)
      let leave = try #require(transitions.last)
      #expect(fixes[4].time < enter.time && enter.time < leave.time && leave.time < fixes[5].time)
      #expect(leave.confirmedAt == fixes[5].time)
    }
  }

  @Test("What is no polygon contains nothing")
  func senseless() {
    let corner = Spot.midLatitude.center
    let half = [0.0, 90, 180, -90].map { Coordinate(latitude: 0, longitude: $0) }
    let rings: [[Coordinate]] = [
      [], [corner], [corner, corner], [corner, corner, corner], half,
      [corner, Spot.equator.center, Coordinate(latitude: .nan, longitude: 0)],
    ]
    for ring in rings {
      let index = FenceIndex([
        Fence(id: FenceID(rawValue: 1), region: .polygons([Polygon(exterior: ring)]))
      ])
      #expect(index.fences(containing: corner).isEmpty)
    }
  }
}
