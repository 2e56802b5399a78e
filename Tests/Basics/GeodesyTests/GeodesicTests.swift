import FencepostGeodesy
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

  @Test("A point on the line has the right distance, also across the antimeridian")
  func interpolation() {
    let a = Coordinate(latitude: 10, longitude: 179.9)
    let b = Coordinate(latitude: 10.2, longitude: -179.8)
    let whole = Geodesic.distance(from: a, to: b)
    for fraction in [0, 0.25, 0.5, 0.9, 1] {
      let point = Geodesic.interpolate(from: a, to: b, fraction: fraction)
      #expect(abs(Geodesic.distance(from: a, to: point) - whole * fraction) < 1e-6)
      #expect(abs(Geodesic.distance(from: point, to: b) - whole * (1 - fraction)) < 1e-6)
    }
  }

  @Test(
    "Azimuths and ends that are known",
    arguments: [
      // Along the equator and a meridian (NGA, WGS 84), over a pole, and New York to London (GeographicLib's
      // example).
      (Coordinate(latitude: 0, longitude: 0), 90.0, 111_319.491, Coordinate(latitude: 0, longitude: 1)),
      (Coordinate(latitude: 0, longitude: 0), 0.0, 110_574.389, Coordinate(latitude: 1, longitude: 0)),
      (Coordinate(latitude: 89, longitude: 0), 0.0, 223_387.730, Coordinate(latitude: 89, longitude: 180)),
      (
        Coordinate(latitude: -45, longitude: 20), 180.0, 5_017_021.351,
        Coordinate(latitude: -90, longitude: 20)
      ),
      (
        Coordinate(latitude: 40.6, longitude: -73.8), 51.198882845579, 5_551_759.400,
        Coordinate(latitude: 51.6, longitude: -0.5)
      ),
    ])
  func knownWays(start: Coordinate, azimuth: Double, metres: Double, end: Coordinate) {
    let way = Geodesic.inverse(from: start, to: end)
    #expect(abs(way.metres - metres) < 0.001)
    #expect(abs(way.azimuth - azimuth) < 1e-8)
    #expect(
      Geodesic.distance(from: Geodesic.destination(from: start, azimuth: azimuth, metres: metres), to: end)
        < 0.002)
  }

  @Test("Antipodes are half the Earth apart, in any direction")
  func antipodes() {
    let (a, b) = (Coordinate(latitude: 30, longitude: 10), Coordinate(latitude: -30, longitude: -170))
    let way = Geodesic.inverse(from: a, to: b)
    #expect(abs(way.metres - 20_003_931.459) < 0.001)
    let end = Geodesic.destination(from: a, azimuth: way.azimuth, metres: way.metres)
    #expect(Geodesic.distance(from: end, to: b) < 0.002)
    #expect(Geodesic.inverse(from: a, to: a).metres == 0)
  }

  @Test(
    "Coordinates are written in decimals",
    arguments: [
      (52.5, -13.0, "52.5,-13.0"), (0.00001, -0.00000012, "0.00001,-0.00000012"), (0, -0.0, "0.0,-0.0"),
      (0.0001, 1e-7, "0.0001,0.0000001"),
    ])
  func description(latitude: Double, longitude: Double, text: String) {
    #expect("\(Coordinate(latitude: latitude, longitude: longitude))" == text)
  }
}
