import CalendarModel
import Geodesy
import Geofencing
import TestSupport
import Testing

@Suite("The exact policy")
struct ExactPolicyTests {
  let home = Coordinate(latitude: 47, longitude: 8)

  func at(_ east: Double) -> Coordinate { Geodesic.destination(from: home, azimuth: 90, metres: east) }

  func fix(_ second: Int64, _ east: Double, startsSegment: Bool = false) -> Fix {
    Fix(time: Instant(seconds: second), coordinate: at(east), startsSegment: startsSegment)
  }

  @Test("A crossing is dated where the straight way meets the boundary")
  func interpolation() {
    let fence = Fence(id: FenceID(rawValue: 1), region: .circle(center: home, radius: 100))
    let evaluator = FenceEvaluator(policy: .exact, index: FenceIndex([fence]))
    var state = DeviceState()
    var transitions: [Transition] = []
    for fix in [fix(0, -300), fix(100, -50), fix(200, 50), fix(300, 150), fix(250, 0), fix(300, 0)] {
      evaluator.evaluate(fix, state: &state, into: &transitions)
    }
    #expect(transitions.map(\.kind) == [.enter, .leave])
    #expect(transitions.map(\.isInterpolated) == [true, true])
    #expect(transitions.map { ($0.time.secondsSince1970 * 1000).rounded() } == [80_000, 250_000])
  }
}
