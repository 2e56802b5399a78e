import FencepostGeodesy
import FencepostSpatiotemporal

/// A region, prepared for queries.
enum Shape: Sendable {
  case circle(Circle)
  case polygons(PreparedPolygons)

  /// True if `point` is in it, boundary included.
  func contains(_ point: Point) -> Bool {
    switch self {
    case .circle(let circle): circle.contains(point.vector, point.coordinate)
    case .polygons(let polygons): polygons.contains(point.vector)
    }
  }

  /// The distance in metres from the boundary to `point`; negative inside.
  func depth(_ point: Point) -> Double {
    switch self {
    case .circle(let circle): circle.depth(point.vector)
    case .polygons(let polygons):
      polygons.contains(point.vector) ? -polygons.distance(point.vector) : polygons.distance(point.vector)
    }
  }

  /// How `point` lies to it.
  func bearing(from point: Point) -> Bearing {
    switch self {
    case .circle(let circle):
      Bearing(isInside: contains(point), depth: depth(point), radius: circle.radius)
    case .polygons(let polygons):
      Bearing(isInside: contains(point), depth: depth(point), radius: polygons.disc.radius)
    }
  }

  /// A lower bound, in metres, on how far `point` can move before it meets the boundary.
  func clearance(_ point: Point) -> Double {
    switch self {
    case .circle(let circle): circle.clearance(point.vector)
    case .polygons(let polygons): polygons.clearance(point.vector)
    }
  }

  /// The fraction (0 to 1) of the way from `a` to `b` at which it meets the boundary. One end must be inside
  /// and the other outside.
  func crossing(from a: Point, to b: Point) -> Double {
    switch self {
    case .circle(let circle): Crossing.fraction(from: a, to: b, of: circle)
    case .polygons(let polygons): polygons.crossing(from: a, to: b)
    }
  }
}

/// How a point lies to a fence.
struct Bearing {
  /// True if the point is inside, boundary included.
  let isInside: Bool
  /// The distance in metres from the boundary to the point; negative inside.
  let depth: Double
  /// Metres from the fence's middle to its farthest point, or more.
  let radius: Double
}

extension Shape {
  /// The shape of a region; `nil` if it contains nothing (see ``Fence``).
  init?(_ region: Region) {
    switch region {
    case .circle(let center, let radius):
      guard let circle = Circle(center: center, radius: radius) else { return nil }
      self = .circle(circle)
    case .polygons(let polygons):
      guard let polygons = PreparedPolygons(polygons) else { return nil }
      self = .polygons(polygons)
    }
  }
}
