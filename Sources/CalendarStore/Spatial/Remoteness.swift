internal import CalendarModel
internal import Geodesy
import Glibc

/// How far places are from one point.
///
/// Each vertex costs one geodesic. Edges are looked at in the gnomonic projection around the point, in which geodesics
/// of a sphere are straight (Snyder, Map Projections, 1987, chapter 22): what lies far away is off by some thousandths.
struct Remoteness {
  let point: Coordinate

  /// Metres to what the place covers, 0 inside of it; `nil` where nobody knows where it is.
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

  /// A vertex as it is seen from the point: how far, and in which direction, in degrees.
  private struct Sight {
    var metres: Double
    var azimuth: Double
  }

  private func seen(_ vertex: Coordinate) -> Sight {
    let (metres, azimuth) = Geodesic.inverse(from: point, to: vertex)
    return Sight(metres: metres, azimuth: azimuth)
  }

  /// A quarter of the way round the Earth, beyond which nothing has an image.
  private static let quarter = 6_371_008.8 * .pi / 2

  /// True where somebody at the point who follows the ring with their eyes turns all the way round.
  private func surrounds(_ ring: [Sight]) -> Bool {
    guard let last = ring.last, ring.contains(where: { $0.metres < Self.quarter }) else { return false }
    var turned = 0.0
    var before = last
    for sight in ring {
      turned += (sight.azimuth - before.azimuth).remainder(dividingBy: 360)
      before = sight
    }
    return abs(turned) > 180
  }

  private func distance(to ring: [Sight]) -> Double {
    guard var before = ring.last else { return .infinity }
    var least = Double.infinity
    for sight in ring {
      least = min(least, sight.metres, distanceOfEdge(from: before, to: sight))
      before = sight
    }
    return least
  }

  /// How far the nearest point of an edge is, where that is none of its ends.
  private func distanceOfEdge(from a: Sight, to b: Sight) -> Double {
    // Within a degree of the quarter the image is too far away to reckon with.
    guard max(a.metres, b.metres) < Self.quarter * 89 / 90 else { return .infinity }
    let earth = Self.quarter * 2 / .pi
    func image(_ sight: Sight) -> (x: Double, y: Double) {
      let radius = tan(sight.metres / earth)
      return (radius * sin(sight.azimuth * .pi / 180), radius * cos(sight.azimuth * .pi / 180))
    }
    let (p, q) = (image(a), image(b))
    let (dx, dy) = (q.x - p.x, q.y - p.y)
    let along = -(p.x * dx + p.y * dy) / (dx * dx + dy * dy)
    guard along > 0, along < 1 else { return .infinity }
    return earth * atan(hypot(p.x + along * dx, p.y + along * dy))
  }
}
