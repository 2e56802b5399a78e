import FencepostGeodesy
import FencepostGeofencing
import FencepostSpatiotemporal
import Testing

@Suite("Walks into regions")
struct ApproachTests {
  static let square = [
    Coordinate(latitude: 52.500, longitude: 13.400), Coordinate(latitude: 52.500, longitude: 13.404),
    Coordinate(latitude: 52.503, longitude: 13.404), Coordinate(latitude: 52.503, longitude: 13.400),
  ]
  /// A ring of streets around a block, whose middle is not part of it.
  static let regions: [Region] = [
    .circle(center: Coordinate(latitude: 52.5, longitude: 13.4), radius: 20),
    .circle(center: Coordinate(latitude: 0, longitude: 0), radius: 100),
    .circle(center: Coordinate(latitude: -16.8, longitude: 179.999), radius: 1_000),
    .circle(center: Coordinate(latitude: 47, longitude: 8), radius: 40_000),
    .polygons([Polygon(exterior: square)]),
    .polygons([
      Polygon(
        exterior: square,
        holes: [
          [
            Coordinate(latitude: 52.501, longitude: 13.401), Coordinate(latitude: 52.501, longitude: 13.403),
            Coordinate(latitude: 52.502, longitude: 13.403), Coordinate(latitude: 52.502, longitude: 13.401),
          ]
        ])
    ]),
  ]

  @Test(
    "A walk leads from well outside to inside, and the robust policy sees one arrival", arguments: regions)
  func arrives(_ region: Region) throws {
    let approach = try #require(Approach(into: region))
    #expect(try #require(approach.steps.first).distance >= 119)
    #expect(try #require(approach.steps.last).distance < 0)
    #expect(
      approach.steps[approach.arrival].distance <= 0 && approach.steps[approach.arrival - 1].distance > 0)
    #expect(approach.steps.count < 40)
    let fixes = approach.steps.enumerated().map { index, step in
      Fix(
        time: Instant(seconds: 1_777_000_000).adding(seconds: Double(index) * Approach.secondsPerStep),
        coordinate: step.coordinate, horizontalAccuracy: 5)
    }
    let found = run(fixes, against: [Fence(id: FenceID(rawValue: 1), region: region)], .robust)
    #expect(found.transitions.map(\.kind) == [.enter])
    #expect(found.counts.admitted == fixes.count)
  }

  @Test("There is no walk into nothing")
  func nothing() {
    #expect(Approach(into: .circle(center: Coordinate(latitude: 91, longitude: 0), radius: 10)) == nil)
    #expect(Approach(into: .polygons([Polygon(exterior: [Coordinate(latitude: 1, longitude: 1)])])) == nil)
  }
}
