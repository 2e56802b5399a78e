import Geodesy
import Testing

@Suite("Geodesics")
struct GeodesicTests {
  @Test(
    "Distances that are known",
    arguments: [
      // A degree of latitude at the equator and at a pole, and half a turn (NGA, WGS 84).
      (Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 1, longitude: 0), 110_574.389),
      (Coordinate(latitude: 89, longitude: 0), Coordinate(latitude: 90, longitude: 0), 111_693.865),
      (Coordinate(latitude: 0, longitude: 179.5), Coordinate(latitude: 0, longitude: -179.5), 111_319.491),
      (Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -90, longitude: 0), 20_003_931.459),
    ])
  func knownDistances(a: Coordinate, b: Coordinate, metres: Double) {
    #expect(abs(Geodesic.distance(from: a, to: b) - metres) < 0.001)
    #expect(abs(Geodesic.distance(from: b, to: a) - metres) < 0.001)
  }

  @Test("A point on the way is as far as asked, across the antimeridian too")
  func interpolation() {
    let a = Coordinate(latitude: 10, longitude: 179.9)
    let b = Coordinate(latitude: 10.2, longitude: -179.8)
    let whole = Geodesic.distance(from: a, to: b)
    for fraction in [0, 0.25, 0.5, 0.9, 1] {
      let point = Geodesic.interpolate(from: a, to: b, fraction: fraction)
      #expect(abs(Geodesic.distance(from: a, to: point) - whole * fraction) < 1e-6)
    }
  }
}
