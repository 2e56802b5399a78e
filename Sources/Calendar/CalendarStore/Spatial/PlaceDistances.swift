internal import FencepostCalendarModel
internal import FencepostGeodesy
import Glibc

/// Measures the distances of places from one point.
///
/// Each vertex costs one geodesic. Edges use the gnomonic projection around the point, where geodesics of a
/// sphere are straight (Snyder, Map Projections, 1987, chapter 22). The error for distant edges is some
/// thousandths.
struct PlaceDistances {
  let point: Coordinate

  /// Metres to the region of the place, 0 inside; `nil` if its position is unknown.
  func distance(to place: StructuredLocation) -> Double? {
    if !place.outline.isEmpty { return place.outline.map(distance(to:)).min() }
    guard let coordinate = place.coordinate, coordinate.isValid else { return nil }
    return max(0, Geodesic.distance(from: point, to: coordinate) - max(0, place.radius))
  }

  private func distance(to polygon: Polygon) -> Double {
    let exterior = polygon.exterior.map(seen)
    let holes = polygon.holes.map { $0.map(seen) }
    if surrounds(exterior), !holes.contains(where: surrounds) { return 0 }
    return ([exterior] + holes).lazy.map(distance(to:)).min() ?? .infinity
  }

  /// A vertex seen from the point: its distance in metres and its direction in degrees.
  private struct PolarPoint {
    var metres: Double
    var azimuth: Double
  }

  private func seen(_ vertex: Coordinate) -> PolarPoint {
    let (metres, azimuth) = Geodesic.inverse(from: point, to: vertex)
    return PolarPoint(metres: metres, azimuth: azimuth)
  }

  /// A quarter of the Earth's circumference; points beyond have no image.
  private static let quarter = 6_371_008.8 * .pi / 2

  /// Whether the ring goes around the point: the directions of its vertices make a full turn.
  private func surrounds(_ ring: [PolarPoint]) -> Bool {
    guard let last = ring.last, ring.contains(where: { $0.metres < Self.quarter }) else { return false }
    var turned = 0.0
    var before = last
    for vertex in ring {
      turned += (vertex.azimuth - before.azimuth).remainder(dividingBy: 360)
      before = vertex
    }
    return abs(turned) > 180
  }

  private func distance(to ring: [PolarPoint]) -> Double {
    guard var before = ring.last else { return .infinity }
    var least = Double.infinity
    for vertex in ring {
      least = min(least, vertex.metres, distanceOfEdge(from: before, to: vertex))
      before = vertex
    }
    return least
  }

  /// The distance to the nearest point of an edge, if that is not one of its ends.
  private func distanceOfEdge(from a: PolarPoint, to b: PolarPoint) -> Double {
    // Within a degree of the quarter, the image is too far away for the calculation.
    guard max(a.metres, b.metres) < Self.quarter * 89 / 90 else { return .infinity }
    let earth = Self.quarter * 2 / .pi
    func image(_ vertex: PolarPoint) -> (x: Double, y: Double) {
      let radius = tan(vertex.metres / earth)
      return (radius * sin(vertex.azimuth * .pi / 180), radius * cos(vertex.azimuth * .pi / 180))
    }
    let (p, q) = (image(a), image(b))
    let (dx, dy) = (q.x - p.x, q.y - p.y)
    let along = -(p.x * dx + p.y * dy) / (dx * dx + dy * dy)
    guard along > 0, along < 1 else { return .infinity }
    return earth * atan(hypot(p.x + along * dx, p.y + along * dy))
  }
}
