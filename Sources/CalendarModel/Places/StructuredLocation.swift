public import Geodesy
public import Spatiotemporal

/// A place with a name (`EKStructuredLocation`).
public struct StructuredLocation: Hashable, Sendable {
  /// Its name.
  public var title: String
  /// Where it is; `nil` for a place that has a name only, at which no alarm can go off.
  public var coordinate: Coordinate?
  /// How far it reaches, in metres; 0 for the default, ``defaultRadius``.
  public var radius: Double
  /// Its outline, where it is not a circle.
  public var outline: [Polygon]
  /// Its postal address.
  public var address: String?
  /// Parameters of X-APPLE-STRUCTURED-LOCATION that this model has no field for, as `NAME=value`, kept to
  /// be written again.
  public var preservedParameters: [String]

  /// The radius in metres of a place that states none. Apple documents no figure; it is the one that its
  /// own programs write.
  public static let defaultRadius = 100.0

  /// A place.
  public init(
    title: String, coordinate: Coordinate? = nil, radius: Double = 0, outline: [Polygon] = [],
    address: String? = nil, preservedParameters: [String] = []
  ) {
    self.title = title
    self.coordinate = coordinate
    self.radius = radius
    self.outline = outline
    self.address = address
    self.preservedParameters = preservedParameters
  }

  /// The part of the Earth that it covers; `nil` where it is not known where it is.
  public var region: Region? {
    if !outline.isEmpty { return .polygons(outline) }
    guard let coordinate, coordinate.isValid else { return nil }
    return .circle(center: coordinate, radius: radius > 0 ? radius : StructuredLocation.defaultRadius)
  }
}
