import FencepostGeodesy

/// A point on WGS 84, in degrees.
///
/// Like on Apple's systems, it only conforms to `Sendable`. Programs that compare coordinates add their own
/// `Equatable` conformance, and one of ours would collide with it.
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees north of the equator, -90 to 90.
  public var latitude: CLLocationDegrees
  /// Degrees east of Greenwich, -180 to 180.
  public var longitude: CLLocationDegrees

  /// The point at latitude 0, longitude 0.
  public init() {
    self.init(latitude: 0, longitude: 0)
  }

  /// A point. Does not validate: see ``CLLocationCoordinate2DIsValid(_:)``.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The same point in the type of the other rooms.
  var geodetic: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

/// True if both numbers are finite and in range.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
  coord.geodetic.isValid
}

/// A point at `latitude` and `longitude`, in degrees.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}
