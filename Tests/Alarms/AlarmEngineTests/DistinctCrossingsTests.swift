import FencepostCalendarModel
import FencepostGeodesy
import FencepostGeofencing
import Testing

@testable import FencepostAlarmEngine

@Suite("Distinct crossings")
struct DistinctCrossingsTests {
  /// Fences 1 and 2 have the same circle; fence 3 has another one at the same point, and fence 4 lies
  /// elsewhere.
  private static let index = FenceIndex([
    fence(1, radius: 100), fence(2, radius: 100), fence(3, radius: 200), fence(4, radius: 100, north: 1),
  ])

  private static func fence(_ number: Int64, radius: Double, north: Double = 0) -> Fence {
    let center = Coordinate(latitude: EngineFixture.home.latitude + north, longitude: 13)
    return Fence(id: FenceID(rawValue: number), region: .circle(center: center, radius: radius))
  }

  private struct Crossing {
    var fence: Int64
    var kind = Transition.Kind.enter
    var time = 0.0
    var device: UInt32 = 0
    var fix = 10.0
  }

  private static let cases: [(name: String, crossings: [Crossing], count: Int)] = [
    ("none", [], 0),
    ("one", [Crossing(fence: 1)], 1),
    ("two alarms at one place", [Crossing(fence: 1), Crossing(fence: 2)], 1),
    ("two circles at one point", [Crossing(fence: 1), Crossing(fence: 3)], 2),
    (
      "other fences between two alarms at one place",
      [Crossing(fence: 1), Crossing(fence: 4), Crossing(fence: 3, time: 1), Crossing(fence: 2)], 3
    ),
    ("in and out", [Crossing(fence: 1), Crossing(fence: 1, kind: .leave)], 2),
    ("at two times", [Crossing(fence: 1), Crossing(fence: 2, time: 1)], 2),
    ("of two devices", [Crossing(fence: 1), Crossing(fence: 2, device: 1)], 2),
    ("at two fixes", [Crossing(fence: 1), Crossing(fence: 2, fix: 20)], 2),
    ("of fences that are gone", [Crossing(fence: 8), Crossing(fence: 9)], 1),
  ]

  @Test("A boundary that several alarms share counts once", arguments: cases.indices)
  func counts(row: Int) {
    let (name, crossings, expected) = Self.cases[row]
    var distinct = DistinctCrossings()
    var count = 0
    for crossing in crossings {
      let fix = Fix(
        device: DeviceNumber(rawValue: crossing.device),
        time: EngineFixture.start.adding(seconds: crossing.fix), coordinate: EngineFixture.home)
      let transition = Transition(
        fence: FenceID(rawValue: crossing.fence), kind: crossing.kind,
        time: EngineFixture.start.adding(seconds: crossing.time), fix: fix)
      if distinct.insert(transition, in: Self.index) { count += 1 }
    }
    #expect(count == expected, "\(name)")
  }
}
