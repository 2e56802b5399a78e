import FencepostGeodesy
import FencepostGeofencing
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@Suite("The index")
struct FenceIndexTests {
  /// The fences that contain a coordinate, by reading through all of them.
  func scan(_ fences: some Collection<Fence>, _ coordinate: Coordinate) -> [FenceID] {
    fences.filter { fence in
      guard case .circle(let center, let radius) = fence.region else { return false }
      return Geodesic.distance(from: center, to: coordinate) <= radius
    }.map(\.id).sorted()
  }

  @Test("It finds what a full scan finds, while fences come, move and go", arguments: Spot.allCases)
  func equalsScan(spot: Spot) {
    var random = SeededRandom(seed: 11)
    var fences: [FenceID: Fence] = [:]
    var index = FenceIndex()
    for round in 0..<6 {
      for fence in randomFences(40, around: spot.center, spread: 8_000, radii: 20...200_000, using: &random) {
        // Numbers return, so that fences move.
        fences[fence.id] = fence
        index.insert(fence)
      }
      for number in stride(from: round, to: 40, by: 5) {
        let id = FenceID(rawValue: Int64(number))
        #expect(index.remove(id) == fences.removeValue(forKey: id))
        #expect(index.remove(id) == nil)
      }
      #expect(index.count == fences.count)
      for fence in fences.values { #expect(index[fence.id] == fence) }
      for _ in 0..<40 {
        let point = Geodesic.destination(
          from: spot.center, azimuth: random.number(in: -180...180), metres: random.number(in: 0...9_000))
        #expect(index.fences(containing: point) == scan(fences.values, point))
      }
    }
  }

  @Test("A step changes what a full scan says, however far it goes", arguments: Spot.allCases)
  func steps(spot: Spot) {
    var random = SeededRandom(seed: 5)
    let fences = randomFences(300, around: spot.center, spread: 20_000, radii: 10...20_000, using: &random)
    let evaluator = FenceEvaluator(policy: .exact, index: FenceIndex(fences))
    var state = DeviceState()
    var transitions: [Transition] = []
    var inside: Set<FenceID> = []
    for (number, fix) in randomTrack(200, around: spot.center, spread: 20_000, using: &random).enumerated() {
      transitions.removeAll()
      evaluator.evaluate(fix, state: &state, into: &transitions)
      if number == 0 { inside = Set(scan(fences, fix.coordinate)) }
      for transition in transitions {
        if transition.kind == .enter {
          #expect(inside.insert(transition.fence).inserted)
        } else {
          #expect(inside.remove(transition.fence) != nil)
        }
      }
      #expect(inside.sorted() == scan(fences, fix.coordinate))
      #expect(evaluator.fencesInside(state) == inside.sorted())
    }
  }

  @Test("A region that makes no sense contains nothing")
  func senseless() {
    let here = Coordinate(latitude: 1, longitude: 1)
    let regions: [Region] = [
      .circle(center: here, radius: -1), .circle(center: here, radius: .nan),
      .circle(center: Coordinate(latitude: 95, longitude: 0), radius: 100),
      .circle(center: Coordinate(latitude: .nan, longitude: 0), radius: 100),
    ]
    var index = FenceIndex(
      regions.enumerated().map { Fence(id: FenceID(rawValue: Int64($0.offset)), region: $0.element) })
    #expect(index.count == 4)
    #expect(index.fences(containing: here).isEmpty)
    #expect(index.fences(containing: Coordinate(latitude: .nan, longitude: .nan)).isEmpty)
    for number in 0..<4 as Range<Int64> { index.remove(FenceID(rawValue: number)) }
    #expect(index.count == 0)
  }

  @Test("A circle of the whole Earth, and one of no size")
  func extremes() {
    let here = Coordinate(latitude: 1, longitude: 1)
    let index = FenceIndex([
      Fence(id: FenceID(rawValue: 1), region: .circle(center: here, radius: .infinity)),
      Fence(id: FenceID(rawValue: 2), region: .circle(center: here, radius: 0)),
      Fence(id: FenceID(rawValue: 3), region: .circle(center: here, radius: 19_000_000)),
    ])
    #expect(index.fences(containing: here).map(\.rawValue) == [1, 2, 3])
    #expect(index.fences(containing: Coordinate(latitude: -1, longitude: -179)).map(\.rawValue) == [1])
    #expect(index.fences(containing: Coordinate(latitude: -1, longitude: -99)).map(\.rawValue) == [1, 3])
  }
}
