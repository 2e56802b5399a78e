/// A point on the WGS 84 ellipsoid, in degrees.
///
/// Apple's `CLLocationCoordinate2D` has no conformances, so that apps can add their own. All other rooms
/// compare, hash and store this type.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, -90 to 90.
  public var latitude: Double
  /// Degrees east of Greenwich, -180 to 180.
  public var longitude: Double

  /// A point at `latitude` and `longitude`, in degrees. Does not validate: see ``isValid``.
  @inlinable
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// True if both numbers are finite and in range. A longitude of exactly 180 is in range.
  @inlinable
  public var isValid: Bool {
    latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
  }
}

extension Coordinate: CustomStringConvertible {
  /// `latitude,longitude`, as on the command line and in a `geo:` URI (RFC 5870): decimals, never an
  /// exponent.
  public var description: String { "\(Self.text(latitude)),\(Self.text(longitude))" }

  private static func text(_ degrees: Double) -> String {
    degrees != 0 && abs(degrees) < 0.001 ? degrees.decimalText : degrees.description
  }
}
