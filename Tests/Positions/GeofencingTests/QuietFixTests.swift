import FencepostGeodesy
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@testable import FencepostGeofencing

@Suite("Fixes that settle nothing")
struct QuietFixTests {
  /// A policy that trusts nobody, one that trusts anybody, and some of numbers that make no sense.
  private static let parameters: [RobustParameters] = {
    var all = [RobustParameters()]
    for (speed, acceleration, accuracy) in [
      (1.0, 0.01, 30.0), (1e9, 1e9, 1e9), (-5, 3, 200), (100, -3, 200), (.nan, .nan, .nan),
    ] {
      var odd = RobustParameters()
      odd.maxSpeed = speed
      odd.maxAcceleration = acceleration
      odd.maxAccuracy = accuracy
      odd.assumedAccuracy = -accuracy / 10
      all.append(odd)
    }
    return all
  }()

  @Test(
    "Passing them by does what weighing them does", arguments: Spot.allCases, 1...3 as ClosedRange<UInt64>)
  func equalsWeighing(spot: Spot, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let fences = randomFences(30, around: spot.center, spread: 20_000, using: &random)
    var track = randomTrack(600, around: spot.center, spread: 4_000, using: &random)
    // Some that say less, stand where others stood, or come late.
    for place in track.indices {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: track[place].horizontalAccuracy = nil
      case 1: track[place].startsSegment = true
      case 2 where place > 0: track[place].coordinate = track[place - 1].coordinate
      case 3 where place > 0: track[place].time = track[place - 1].time
      case 4: track[place].coordinate = Coordinate(latitude: 0, longitude: 0)
      case 5: track[place].horizontalAccuracy = [-1, 0, .infinity, .nan].randomElement(using: &random)
      default: break
      }
    }
    for (number, parameters) in QuietFixTests.parameters.enumerated() {
      let evaluator = FenceEvaluator(policy: .robust(parameters), index: FenceIndex(fences))
      var short = DeviceState()
      var long = DeviceState()
      var shortly: [Transition] = []
      var atLength: [Transition] = []
      var passed = 0
      for fix in track {
        var copy = short
        if evaluator.passesQuietly(fix, &copy) { passed += 1 }
        let admission = evaluator.evaluate(fix, state: &short, into: &shortly)
        #expect(evaluator.evaluateRobustly(fix, state: &long, into: &atLength, nil) == admission)
        #expect(short == long)
        // A state that is read again works out when silence settles its doubts.
        if number == 0 {
          #expect((try? DeviceState(decoding: short.encoded()))?.confirmsAt == short.confirmsAt)
        }
      }
      // As text, where a number that is none equals itself.
      #expect("\(shortly)" == "\(atLength)")
      let isPole = abs(spot.center.latitude) > 85
      if number == 0 { #expect(isPole ? passed == 0 : passed > 50, "\(passed) passed") }
    }
  }
}
