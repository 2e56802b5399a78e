import FencepostGeodesy
import FencepostGeofencing
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

/// Runs fixes of one device and returns what they led to.
func run(
  _ fixes: [Fix], against fences: [Fence], _ policy: Policy, state: DeviceState = DeviceState()
) -> (transitions: [Transition], counts: AdmissionCounts, state: DeviceState) {
  let evaluator = FenceEvaluator(policy: policy, index: FenceIndex(fences))
  var state = state
  var transitions: [Transition] = []
  var counts = AdmissionCounts()
  for fix in fixes { counts.count(evaluator.evaluate(fix, state: &state, into: &transitions)) }
  return (transitions, counts, state)
}

extension SeededRandom {
  mutating func number(in range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }

  /// A number of the standard normal distribution, near enough: the sum of twelve even ones (Irwin-Hall).
  mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + number(in: 0...1) } }
}

/// Places where geometry is hard, and one where it is not.
enum Spot: String, CaseIterable, CustomTestStringConvertible {
  case midLatitude, antimeridian, northPole, southPole, nearPole, equator

  var center: Coordinate {
    switch self {
    case .midLatitude: Coordinate(latitude: 47.1, longitude: 8.3)
    case .antimeridian: Coordinate(latitude: -16.8, longitude: 179.999)
    case .northPole: Coordinate(latitude: 90, longitude: 0)
    case .southPole: Coordinate(latitude: -89.9995, longitude: 77)
    case .nearPole: Coordinate(latitude: 89.3, longitude: -179.9)
    case .equator: Coordinate(latitude: 0, longitude: 0.001)
    }
  }

  var testDescription: String { rawValue }
}

/// Random circles around `center`, out to `spread` metres, many sizes among them.
func randomFences(
  _ count: Int, around center: Coordinate, spread: Double, radii: ClosedRange<Double> = 20...3_000,
  using random: inout SeededRandom
) -> [Fence] {
  (0..<count).map { number in
    let at = Geodesic.destination(
      from: center, azimuth: random.number(in: -180...180), metres: random.number(in: 0...spread))
    // Small ones are as frequent as large ones.
    let size = random.number(in: 0...1)
    let radius = radii.lowerBound * pow(radii.upperBound / radii.lowerBound, size)
    return Fence(id: FenceID(rawValue: Int64(number)), region: .circle(center: at, radius: radius))
  }
}

/// A way of many steps around `center`, some short, some long, with stops.
func randomTrack(
  _ count: Int, around center: Coordinate, spread: Double, using random: inout SeededRandom
) -> [Fix] {
  var here = center
  var time = 1_700_000_000.0
  return (0..<count).map { number in
    time += random.number(in: 0.5...60)
    switch number % 7 {
    case 0:
      here = Geodesic.destination(
        from: center, azimuth: random.number(in: -180...180), metres: random.number(in: 0...spread))
    case 3: break
    default:
      here = Geodesic.destination(
        from: here, azimuth: random.number(in: -180...180), metres: random.number(in: 0...spread / 20))
    }
    return Fix(
      time: Instant(microseconds: Int64(time * 1e6)), coordinate: here,
      horizontalAccuracy: random.number(in: 3...60))
  }
}

private func pow(_ base: Double, _ exponent: Double) -> Double {
  // By halves, as the room of tests has no need of more: base^exponent for an exponent of 0 to 1.
  var result = 1.0
  var root = base
  var rest = exponent
  for _ in 0..<30 {
    root = root.squareRoot()
    rest *= 2
    if rest >= 1 {
      result *= root
      rest -= 1
    }
  }
  return result
}
