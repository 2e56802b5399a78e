import Geodesy
import Glibc

/// A point of the Mercator map of the world: x from 0 in the west to 1 in the east, y from 0 in the north to 1
/// in the south, as street tiles count.
///
/// Source: J. P. Snyder, "Map Projections: A Working Manual", USGS Professional Paper 1395 (1987), on the
/// sphere, as all street tiles are.
struct MapPoint: Hashable, Sendable {
  var x: Double
  var y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Where `coordinate` is on the map. Beyond 85.05 degrees the map ends; what is there stands on its edge.
  init(_ coordinate: Coordinate) {
    x = coordinate.longitude / 360 + 0.5
    let latitude = min(max(coordinate.latitude, -MapPoint.edge), MapPoint.edge) * .pi / 180
    y = 0.5 - asinh(tan(latitude)) / (2 * .pi)
  }

  /// The latitude at which the map is square.
  static let edge = 85.05112877980659
  /// How many metres at the equator the map is wide.
  static let metresAround = 2 * Double.pi * Geodesic.equatorialRadius

  /// How many metres on the ground a map that is 1 wide has to 1 at `y`.
  static func metres(at y: Double) -> Double { metresAround / cosh((0.5 - y) * 2 * .pi) }

  /// `difference` of two x brought to the shorter way round the Earth: -0.5 to 0.5.
  static func wrapped(_ difference: Double) -> Double { difference - difference.rounded() }

  /// The point a `fraction` of the way from this one to `other` on the map.
  func interpolated(to other: MapPoint, fraction: Double) -> MapPoint {
    MapPoint(x: x + (other.x - x) * fraction, y: y + (other.y - y) * fraction)
  }
}
