import FencepostGeodesy
import FencepostSpatiotemporal

/// Polygons on the ellipsoid, prepared for many queries.
///
/// Edges are cut into pieces of at most ``maximumPiece``. Such a piece of a geodesic agrees, to a millimetre,
/// with the cut of the ellipsoid by a plane through its centre. From the Earth's centre such cuts are
/// straight lines (the gnomonic projection, here at the polygons' middle). So containment works as in the
/// plane, and neither the antimeridian nor the poles are special. Polygons must lie within a hemisphere.
///
/// Costs time in proportion to the edges, for points within the circle around them all.
final class PreparedPolygons: Sendable {
  /// A piece of an edge.
  private struct Edge: Sendable {
    var start: EarthVector
    var end: EarthVector
    /// The unit vector normal to the plane of both ends and the Earth's centre.
    var normal: EarthVector
    /// Both ends in the projection.
    var x0: Double
    var y0: Double
    var x1: Double
    var y1: Double
  }

  private static let maximumPiece = 50_000.0

  /// The edges of each polygon, including holes.
  private let polygons: [[Edge]]
  private let projection: Gnomonic
  /// Contains all edges.
  let disc: Disc

  /// The polygons; `nil` if they don't lie within a hemisphere, or if no ring has three points or more on the
  /// globe.
  init?(_ regions: [Polygon]) {
    let rings: [[[Point]]] = regions.compactMap { polygon in
      guard let exterior = PreparedPolygons.ring(polygon.exterior) else { return nil }
      return [exterior] + polygon.holes.compactMap(PreparedPolygons.ring)
    }
    let corners = rings.joined().joined()
    let sum = corners.reduce(EarthVector(x: 0, y: 0, z: 0)) { $0 + $1.vector }
    guard let projection = Gnomonic(center: sum) else { return nil }
    var polygons: [[Edge]] = []
    for rings in rings {
      var edges: [Edge] = []
      for ring in rings {
        for (start, end) in zip(ring, ring.dropFirst() + ring.prefix(1)) where start.vector != end.vector {
          guard let a = projection.project(start.vector), let b = projection.project(end.vector),
            let normal = start.vector.cross(end.vector).unit
          else { return nil }
          edges.append(
            Edge(start: start.vector, end: end.vector, normal: normal, x0: a.x, y0: a.y, x1: b.x, y1: b.y))
        }
      }
      polygons.append(edges)
    }
    self.polygons = polygons
    self.projection = projection
    let center = Point(projection.center)
    var reach = 0.0
    for edge in polygons.joined() {
      // An arc bulges beyond the chord of its ends by less than a quarter of its length.
      let bulge = edge.start.distance(to: edge.end) / 4
      reach = max(reach, edge.start.distance(to: center.vector) + bulge)
      reach = max(reach, edge.end.distance(to: center.vector) + bulge)
    }
    disc = Disc(center: center, radius: reach)
  }

  /// A ring with its long edges cut; `nil` if it is not a valid ring.
  private static func ring(_ corners: [Coordinate]) -> [Point]? {
    guard corners.count >= 3, corners.allSatisfy(\.isValid) else { return nil }
    var points: [Point] = []
    for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      points.append(Point(start))
      let pieces = Int((Geodesic.distance(from: start, to: end) / maximumPiece).rounded(.up))
      if pieces < 2 { continue }
      for piece in 1..<pieces {
        points.append(
          Point(Geodesic.interpolate(from: start, to: end, fraction: Double(piece) / Double(pieces))))
      }
    }
    return points
  }

  /// True if `vector` is in one of the polygons.
  func contains(_ vector: EarthVector) -> Bool {
    guard vector.distance(to: disc.center.vector) <= disc.radius, let point = projection.project(vector)
    else { return false }
    return polygons.contains { edges in
      // The even-odd rule, along the ray to the right.
      var isInside = false
      for edge in edges where (edge.y0 > point.y) != (edge.y1 > point.y) {
        let x = edge.x0 + (point.y - edge.y0) / (edge.y1 - edge.y0) * (edge.x1 - edge.x0)
        if point.x < x { isInside.toggle() }
      }
      return isInside
    }
  }

  /// The distance from `vector` to the nearest edge in metres, or a little less.
  func distance(_ vector: EarthVector) -> Double {
    var least = Double.infinity
    for edges in polygons {
      for edge in edges {
        // Alongside the piece, the distance to its plane; beyond its ends, the distance to the end.
        let isPastStart = edge.normal.cross(edge.start).dot(vector) >= 0
        let isBeforeEnd = edge.end.cross(edge.normal).dot(vector) >= 0
        let distance =
          isPastStart && isBeforeEnd && edge.start.dot(vector) > 0
          ? abs(edge.normal.dot(vector))
          : min(edge.start.distance(to: vector), edge.end.distance(to: vector))
        least = min(least, distance)
      }
    }
    return least
  }

  /// A lower bound, in metres, on how far `vector` can move before it meets an edge.
  func clearance(_ vector: EarthVector) -> Double {
    let far = vector.distance(to: disc.center.vector) - disc.radius
    return far > disc.radius ? far : max(0, distance(vector) - 0.01)
  }

  /// The last fraction (0 to 1) of the way from `a` to `b` at which it meets an edge. One end must be in a
  /// polygon and the other outside.
  func crossing(from a: Point, to b: Point) -> Double {
    guard a.vector.distance(to: b.vector) < Crossing.maximumChord, projection.project(a.vector) != nil,
      projection.project(b.vector) != nil
    else { return Crossing.bisect(from: a, to: b) { contains($0.vector) } }
    return min(1, crossings(from: a, to: b).last ?? 0)
  }

  /// The fractions of the straight way from `a` to `b` at which it meets edges, in ascending order.
  func crossings(from a: Point, to b: Point) -> [Double] {
    guard let p = projection.project(a.vector), let q = projection.project(b.vector) else { return [] }
    var found: [Double] = []
    for edge in polygons.joined() {
      let before = edge.normal.dot(a.vector)
      let after = edge.normal.dot(b.vector)
      guard (before > 0) != (after > 0) else { continue }
      // The edge's ends must be on two sides of the way, too.
      let side0 = (q.x - p.x) * (edge.y0 - p.y) - (q.y - p.y) * (edge.x0 - p.x)
      let side1 = (q.x - p.x) * (edge.y1 - p.y) - (q.y - p.y) * (edge.x1 - p.x)
      if (side0 > 0) != (side1 > 0) { found.append(before / (before - after)) }
    }
    return found.sorted()
  }
}

/// The projection from the Earth's centre onto a plane, in which planes through the centre are straight
/// lines.
private struct Gnomonic: Sendable {
  let center: EarthVector
  private let east: EarthVector
  private let north: EarthVector

  /// The projection onto the plane normal to `center`; `nil` for the zero vector.
  init?(center: EarthVector) {
    guard let center = center.unit else { return nil }
    // Any two perpendicular directions suffice.
    let aside = abs(center.z) < 0.9 ? EarthVector(x: 0, y: 0, z: 1) : EarthVector(x: 1, y: 0, z: 0)
    guard let east = aside.cross(center).unit else { return nil }
    self.center = center
    self.east = east
    north = center.cross(east)
  }

  /// The position of `vector` in the plane; `nil` beyond about 89° from the centre.
  func project(_ vector: EarthVector) -> (x: Double, y: Double)? {
    let height = center.dot(vector)
    guard height > 100_000 else { return nil }
    return (east.dot(vector) / height, north.dot(vector) / height)
  }
}

/// Polygons, and circles that are too large for a grid of boundaries.
///
/// Grids find each by a disc around it, by the disc's size. Shapes as large as a good part of a continent are
/// in a list.
struct RegionTable: Sendable {
  private var shapes: [Int32: Shape] = [:]
  private var grids = FenceCollection.gridRadii.map { FenceGrid(maxRadius: $0) }
  /// Shapes whose disc is too large for all grids.
  private(set) var large: Set<Int32> = []

  /// True if there are no shapes.
  var isEmpty: Bool { shapes.isEmpty }

  /// The shape of a slot.
  subscript(slot: Int32) -> Shape? { shapes[slot] }

  /// Adds the shape of a slot.
  mutating func insert(_ shape: Shape, slot: Int32) {
    shapes[slot] = shape
    let disc = shape.disc
    if let grid = grids.firstIndex(where: { disc.radius <= $0.maxRadius }) {
      grids[grid].insert(disc, slot: slot)
    } else {
      large.insert(slot)
    }
  }

  /// Removes the shape of a slot, if there is one.
  mutating func remove(_ slot: Int32) {
    guard let disc = shapes.removeValue(forKey: slot)?.disc else { return }
    if let grid = grids.firstIndex(where: { disc.radius <= $0.maxRadius }) {
      grids[grid].remove(slot: slot, center: disc.center.coordinate)
    } else {
      large.remove(slot)
    }
  }

  /// Calls `body` with each shape that comes within this distance of a point, except for large ones. May
  /// include others.
  func forEach(near point: Point, within metres: Double, _ body: (Int32, Shape) -> Void) {
    for grid in grids where grid.count > 0 {
      grid.scanDiscs(near: point, within: metres) { slot in
        if let shape = shapes[slot] { body(slot, shape) }
      }
    }
  }

  /// Calls `body` with each large shape.
  func forEachLarge(_ body: (Int32, Shape) -> Void) {
    for slot in large {
      if let shape = shapes[slot] { body(slot, shape) }
    }
  }
}

/// A ball that contains a shape.
struct Disc {
  let center: Point
  /// A chord, in metres.
  let radius: Double
}

extension Shape {
  /// A disc around the shape.
  var disc: Disc {
    switch self {
    case .circle(let circle):
      Disc(
        center: Point(coordinate: circle.center, vector: circle.centerVector), radius: circle.chord.upperBound
      )
    case .polygons(let polygons): polygons.disc
    }
  }
}
