import FencepostGeodesy
import FencepostSpatiotemporal
import Glibc

/// The outline of a fence on the plane.
enum FenceOutline {
  /// A circle. The radius is a fraction of the map's width.
  case circle(center: MapPoint, radius: Double)
  /// Closed lines. A point is inside if an odd number of them surround it.
  case rings([[MapPoint]])

  /// From this radius on, in metres, a circle on the Earth is visibly not a circle on the map.
  private static let maximumCircleRadius = 20_000.0
  /// Longer edges, in metres, visibly bend.
  private static let maximumEdge = 20_000.0

  /// The outline of a complete region on the globe; `nil` for any other region.
  init?(_ region: Region, on plane: MapPlane) {
    switch region {
    case .circle(let center, let radius):
      guard center.isValid, radius > 0, radius.isFinite else { return nil }
      let middle = plane.place(center)
      if radius <= FenceOutline.maximumCircleRadius && abs(center.latitude) < 85 {
        self = .circle(center: middle, radius: radius / MapPoint.metres(at: middle.y))
      } else {
        // Half the Earth's circumference reaches everything.
        let reach = min(radius, 20_000_000)
        let edge = (0..<120).map {
          Geodesic.destination(from: center, azimuth: Double($0) * 3 - 180, metres: reach)
        }
        self = .rings([FenceOutline.closed(FenceOutline.ring(edge, from: middle.x), around: center)])
      }
    case .polygons(let polygons):
      let rings = polygons.flatMap { [$0.exterior] + $0.holes }.filter { ring in
        ring.count >= 3 && ring.allSatisfy(\.isValid)
      }
      guard let first = rings.first?.first else { return nil }
      let x = plane.place(first).x
      self = .rings(rings.map { FenceOutline.ring(FenceOutline.bent($0), from: x) })
    }
  }

  /// The points of a ring. Each point stays on the same side of the cut as the one before it.
  private static func ring(_ coordinates: [Coordinate], from x: Double) -> [MapPoint] {
    var last = x
    return coordinates.map { coordinate in
      var point = MapPoint(coordinate)
      point.x = last + MapPoint.wrapped(point.x - last)
      last = point.x
      return point
    }
  }

  /// A ring around `center` that a map can fill. A ring that goes around the world contains a pole, so the
  /// map's edge on that side becomes part of it.
  private static func closed(_ ring: [MapPoint], around center: Coordinate) -> [MapPoint] {
    guard let first = ring.first, let last = ring.last, abs(last.x - first.x) > 0.5 else { return ring }
    let end = MapPoint(x: first.x + (last.x > first.x ? 1 : -1), y: first.y)
    let edge = center.latitude > 0 ? 0.0 : 1.0
    return ring + [end, MapPoint(x: end.x, y: edge), MapPoint(x: first.x, y: edge)]
  }

  /// Adds points to the ring's long edges, which are geodesics.
  private static func bent(_ ring: [Coordinate]) -> [Coordinate] {
    guard ring.count <= 1000 else { return ring }
    return zip(ring, ring.dropFirst() + ring.prefix(1)).flatMap { a, b in
      let metres = Geodesic.distance(from: a, to: b)
      let parts = min(max(1, Int((metres / maximumEdge).rounded(.up))), 32)
      return [a]
        + (1..<parts).map { Geodesic.interpolate(from: a, to: b, fraction: Double($0) / Double(parts)) }
    }
  }

  /// The northwest and southeast corners.
  var extent: (MapPoint, MapPoint) {
    switch self {
    case .circle(let center, let radius):
      return (
        MapPoint(x: center.x - radius, y: center.y - radius),
        MapPoint(x: center.x + radius, y: center.y + radius)
      )
    case .rings(let rings):
      let (xs, ys) = (rings.joined().map(\.x), rings.joined().map(\.y))
      return (
        MapPoint(x: xs.min() ?? 0, y: ys.min() ?? 0), MapPoint(x: xs.max() ?? 0, y: ys.max() ?? 0)
      )
    }
  }

  /// The point for its label: the middle of its extent.
  var middle: MapPoint {
    let (a, b) = extent
    return a.interpolated(to: b, fraction: 0.5)
  }
}
