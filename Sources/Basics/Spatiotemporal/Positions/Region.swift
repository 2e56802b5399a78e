public import FencepostGeodesy

/// A part of the Earth's surface that a device can be in.
public enum Region: Hashable, Sendable {
  /// All points within `radius` metres of `center`, boundary included.
  case circle(center: Coordinate, radius: Double)
  /// All points in at least one of the polygons.
  case polygons([Polygon])
}

/// A polygon on WGS 84 with geodesic edges (a GeoJSON Polygon, RFC 7946, except for its edges).
public struct Polygon: Hashable, Sendable {
  /// The boundary: three points or more, in either direction. The first point is not repeated at the end.
  public var exterior: [Coordinate]
  /// The holes, each in the same form as the exterior.
  public var holes: [[Coordinate]]

  /// A polygon.
  public init(exterior: [Coordinate], holes: [[Coordinate]] = []) {
    self.exterior = exterior
    self.holes = holes
  }
}
