public import FencepostCalendarModel
public import FencepostGeodesy

/// An area between two parallels and two meridians, in degrees on WGS 84. Queries of the spatial index use
/// it.
///
/// If ``west`` is greater than ``east``, it spans the antimeridian.
public struct BoundingBox: Hashable, Sendable {
  /// The parallel in the south, -90 to 90.
  public var south: Double
  /// The parallel in the north, -90 to 90.
  public var north: Double
  /// The meridian in the west, -180 to 180.
  public var west: Double
  /// The meridian in the east, -180 to 180.
  public var east: Double

  /// A box. Not validated.
  public init(south: Double, west: Double, north: Double, east: Double) {
    self.south = south
    self.north = north
    self.west = west
    self.east = east
  }

  /// The whole Earth.
  public static let world = BoundingBox(south: -90, west: -180, north: 90, east: 180)

  /// This box, or the two boxes on both sides of the antimeridian if it spans that.
  public var unwrapped: [BoundingBox] {
    if west <= east { return [self] }
    return [
      BoundingBox(south: south, west: west, north: north, east: 180),
      BoundingBox(south: south, west: -180, north: north, east: east),
    ]
  }

  /// Whether a point is in the box, including its edges.
  public func contains(_ point: Coordinate) -> Bool {
    guard point.latitude >= south && point.latitude <= north else { return false }
    return west <= east
      ? point.longitude >= west && point.longitude <= east
      : point.longitude >= west || point.longitude <= east
  }

  /// Whether the box around a region, if it has one, has a point in common with this one.
  func reaches(_ region: Region) -> Bool {
    // Mostly true, and much cheaper than the box, which follows each edge of a polygon.
    switch region {
    case .circle(let center, let radius): if radius.isFinite && contains(center) { return true }
    case .polygons(let polygons):
      if polygons.contains(where: { $0.exterior.contains(where: contains) }) { return true }
    }
    guard let other = BoundingBox(region) else { return false }
    return unwrapped.contains { mine in
      other.unwrapped.contains {
        mine.south <= $0.north && $0.south <= mine.north && mine.west <= $0.east && $0.west <= mine.east
      }
    }
  }
}

extension BoundingBox {
  /// A box that contains all points within `radius` metres of `center`, and not much more.
  ///
  /// The Earth's radii of curvature are nowhere less than a(1-e²), at the equator along the meridian. So a
  /// path on the ellipsoid is at least as long as the path between the same latitudes and longitudes on a
  /// sphere of that radius, and the cap of that sphere contains the circle. The box of a cap on a sphere is
  /// exact (J. P. Matuschek, "Finding points within a distance of a latitude/longitude").
  public init(center: Coordinate, radius: Double) {
    let least = Geodesic.equatorialRadius * (1 - Geodesic.flattening) * (1 - Geodesic.flattening)
    // Slightly more, for rounding: at least a ten-thousandth of a millimetre.
    let angle = max(0, radius) / least * (1 + 1e-12) + 1e-13
    let degrees = angle.inDegrees
    guard center.isValid, angle < .pi / 2 else {
      self = .world
      return
    }
    let south = center.latitude - degrees
    let north = center.latitude + degrees
    guard south > -90, north < 90 else {
      // A pole is inside, and so is every meridian.
      self.init(south: max(-90, south), west: -180, north: min(90, north), east: 180)
      return
    }
    let ratio = sine(angle) / cosine(center.latitude.inRadians)
    let spread = ratio < 1 ? arcsine(ratio).inDegrees + 1e-12 : 180
    self.init(
      south: south, north: north, unboundedWest: center.longitude - spread,
      east: center.longitude + spread)
  }

  /// A box that contains `region`; `nil` for an invalid vertex or no vertices.
  ///
  /// An edge of a polygon bulges towards the pole, but no point of it is further from its nearer end than
  /// half its length. So each vertex counts with a circle of half its longer edge. A boundary around a pole
  /// gets the whole Earth.
  public init?(_ region: Region) {
    switch region {
    case .circle(let center, let radius):
      guard center.isValid, radius.isFinite else { return nil }
      self.init(center: center, radius: radius)
    case .polygons(let polygons):
      var union: BoundingBox?
      for polygon in polygons {
        guard let box = BoundingBox(boundary: polygon.exterior) else { return nil }
        union = union?.union(box) ?? box
      }
      guard let union else { return nil }
      self = union
    }
  }

  /// The box of a closed boundary of geodesics.
  private init?(boundary: [Coordinate]) {
    guard let first = boundary.first, boundary.allSatisfy(\.isValid) else { return nil }
    var south = 90.0
    var north = -90.0
    var west = Double.infinity
    var east = -Double.infinity
    // Longitudes continue along the boundary, also beyond ±180.
    var longitude = first.longitude
    for (index, vertex) in boundary.enumerated() {
      let before = boundary[(index + boundary.count - 1) % boundary.count]
      let after = boundary[(index + 1) % boundary.count]
      let reach =
        max(
          Geodesic.distance(from: before, to: vertex), Geodesic.distance(from: vertex, to: after)) / 2
      let box = BoundingBox(center: vertex, radius: reach)
      let spread = box.longitudeSpan / 2
      south = min(south, box.south)
      north = max(north, box.north)
      west = min(west, longitude - spread)
      east = max(east, longitude + spread)
      longitude += minimumTurn(from: vertex.longitude, to: after.longitude)
    }
    // Back at the first vertex: a difference of a whole turn means that a pole is inside.
    guard abs(longitude - first.longitude) < 180 else {
      self = .world
      return
    }
    self.init(south: south, north: north, unboundedWest: west, east: east)
  }

  /// A box with meridians that may be beyond ±180.
  private init(south: Double, north: Double, unboundedWest west: Double, east: Double) {
    guard east - west < 360 else {
      self.init(south: south, west: -180, north: north, east: 180)
      return
    }
    self.init(south: south, west: wrapped(west), north: north, east: wrapped(east))
  }

  /// Degrees from ``west`` to ``east``.
  private var longitudeSpan: Double { west <= east ? east - west : east - west + 360 }

  /// A box that contains both: the shorter of the two ways around.
  private func union(_ other: BoundingBox) -> BoundingBox {
    // Move the other box next to this one, and join both as intervals.
    let start = west
    let end = west + longitudeSpan
    let turn = minimumTurn(from: start + longitudeSpan / 2, to: other.west + other.longitudeSpan / 2)
    let otherStart = start + longitudeSpan / 2 + turn - other.longitudeSpan / 2
    return BoundingBox(
      south: min(south, other.south), north: max(north, other.north),
      unboundedWest: min(start, otherStart), east: max(end, otherStart + other.longitudeSpan))
  }
}

/// `longitude` wrapped to -180 to 180; both ends stay as they are.
private func wrapped(_ longitude: Double) -> Double {
  abs(longitude) <= 180 ? longitude : longitude.remainder(dividingBy: 360)
}

/// Degrees from one meridian to another on the shorter way, -180 to 180, east positive.
private func minimumTurn(from: Double, to: Double) -> Double {
  (to - from).remainder(dividingBy: 360)
}

extension Double {
  fileprivate var inRadians: Double { self * .pi / 180 }
  fileprivate var inDegrees: Double { self * 180 / .pi }
}
