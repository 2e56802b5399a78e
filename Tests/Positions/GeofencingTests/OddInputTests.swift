import FencepostGeodesy
import FencepostGeofencing
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@Suite("Odd input")
struct OddInputTests {
  private static let latitudes = [0, 47, 89.9999, 90, -90, 90.1, -1e300, .nan, .infinity]
  private static let longitudes = [0, 8, 179.9999, 180, -180, 180.1, 1e300, .nan, -.infinity]
  private static let sizes = [0, -1, .leastNonzeroMagnitude, 1, 300, 5e6, 2.1e7, 1e300, .infinity, .nan]
  private static let moments: [Int64] = [
    .min, .min + 1, -1, 0, 1, 1_700_000_000_000_000, 1_700_000_000_000_001, .max,
  ]

  @Test("Nothing traps, and a state can always be saved and loaded", arguments: 1...4 as ClosedRange<UInt64>)
  func anything(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    func any<Value>(_ values: [Value], using random: inout SeededRandom) -> Value {
      values[Int.random(in: values.indices, using: &random)]
    }
    func coordinate(using random: inout SeededRandom) -> Coordinate {
      // Near one another as often as not, so that something happens.
      guard Bool.random(using: &random) else {
        return Coordinate(
          latitude: any(Self.latitudes, using: &random), longitude: any(Self.longitudes, using: &random))
      }
      return Coordinate(latitude: random.number(in: 46.99...47.01), longitude: random.number(in: 7.99...8.01))
    }
    var fences: [Fence] = []
    for number in 0..<60 {
      let region: Region =
        number % 4 > 0
        ? .circle(center: coordinate(using: &random), radius: any(Self.sizes, using: &random))
        : .polygons([
          Polygon(
            exterior: (0..<Int.random(in: 0...5, using: &random)).map { _ in coordinate(using: &random) },
            holes: [(0..<3).map { _ in coordinate(using: &random) }])
        ])
      fences.append(
        Fence(
          id: FenceID(rawValue: Int64(number)), region: region,
          revision: any([.min, 0, 7, .max], using: &random),
          reportsInitialPresence: number % 5 == 0))
    }
    for policy in [Policy.exact, .robust] {
      var evaluator = FenceEvaluator(policy: policy, index: FenceIndex(fences))
      var state = DeviceState()
      var transitions: [Transition] = []
      var time: Int64 = 1_700_000_000_000_000
      for _ in 0..<400 {
        time &+= Int64.random(in: 0...20_000_000, using: &random)
        let isOdd = Int.random(in: 0..<20, using: &random) == 0
        let fix = Fix(
          time: Instant(microseconds: isOdd ? any(Self.moments, using: &random) : time),
          coordinate: coordinate(using: &random),
          horizontalAccuracy: any([nil] + Self.sizes, using: &random),
          speed: any([nil] + Self.sizes, using: &random), startsSegment: isOdd)
        evaluator.evaluate(fix, state: &state, into: &transitions)
        let fence = any(fences, using: &random)
        if isOdd { evaluator.index.remove(fence.id) } else { evaluator.index.insert(fence) }
        _ = evaluator.isInside(fence.id, state)
        if isOdd { state = try DeviceState(decoding: state.encoded()) }
      }
      _ = evaluator.fencesInside(state)
      #expect(!transitions.isEmpty)
    }
  }
}
