import FencepostGeodesy
import Glibc

/// A point of the Mercator map of the world: x from 0 in the west to 1 in the east, y from 0 in the north to
/// 1 in the south, like street tiles.
///
/// Source: J. P. Snyder, "Map Projections: A Working Manual", USGS Professional Paper 1395 (1987), on the
/// sphere, like all street tiles.
struct MapPoint: Hashable, Sendable {
  var x: Double
  var y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Projects `coordinate`. The map ends at 85.05 degrees; points beyond go to its edge.
  init(_ coordinate: Coordinate) {
    x = coordinate.longitude / 360 + 0.5
    let latitude = min(max(coordinate.latitude, -MapPoint.edge), MapPoint.edge) * .pi / 180
    y = 0.5 - asinh(tan(latitude)) / (2 * .pi)
  }

  /// The latitude that makes the map square.
  static let edge = 85.05112877980659
  /// The width of the map in metres at the equator.
  static let metresAround = 2 * Double.pi * Geodesic.equatorialRadius

  /// The length on the ground at `y`, in metres, of the map's whole width.
  static func metres(at y: Double) -> Double { metresAround / cosh((0.5 - y) * 2 * .pi) }

  /// The difference of two x, the shorter way around the Earth: -0.5 to 0.5.
  static func wrapped(_ difference: Double) -> Double { difference - difference.rounded() }

  /// The point at `fraction` of the line from this point to `other` on the map.
  func interpolated(to other: MapPoint, fraction: Double) -> MapPoint {
    MapPoint(x: x + (other.x - x) * fraction, y: y + (other.y - y) * fraction)
  }
}
