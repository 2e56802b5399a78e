public import Geodesy

/// A part of the Earth's surface that a device can be in.
public enum Region: Hashable, Sendable {
  /// All that is within `radius` metres of `center`, boundary included.
  case circle(center: Coordinate, radius: Double)
  /// All that is in one of several polygons.
  case polygons([Polygon])
}

/// A polygon on WGS 84 whose edges are geodesics (GeoJSON's Polygon, RFC 7946, but for its edges).
public struct Polygon: Hashable, Sendable {
  /// The boundary: three points or more, the first not said again at the end, in either direction.
  public var exterior: [Coordinate]
  /// What is cut out of it, each as the exterior is.
  public var holes: [[Coordinate]]

  /// A polygon.
  public init(exterior: [Coordinate], holes: [[Coordinate]] = []) {
    self.exterior = exterior
    self.holes = holes
  }
}
