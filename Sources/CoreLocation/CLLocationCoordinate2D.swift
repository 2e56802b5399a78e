import Geodesy

/// A point on WGS 84, in degrees.
///
/// As on Apple's systems it conforms to nothing but `Sendable`: programs that compare coordinates bring an
/// `Equatable` conformance of their own, with which one of ours would collide.
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees north of the equator, -90 to 90.
  public var latitude: CLLocationDegrees
  /// Degrees east of Greenwich, -180 to 180.
  public var longitude: CLLocationDegrees

  /// The point where equator and prime meridian meet.
  public init() {
    self.init(latitude: 0, longitude: 0)
  }

  /// A point. Not validated: see ``CLLocationCoordinate2DIsValid(_:)``.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The same point as the rooms below write it.
  var geodetic: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

/// True where both numbers are finite and in range.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
  coord.geodetic.isValid
}

/// A point at `latitude` and `longitude`, in degrees.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}
