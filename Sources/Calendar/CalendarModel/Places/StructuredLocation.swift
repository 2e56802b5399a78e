public import FencepostGeodesy

/// A place with a name (`EKStructuredLocation`).
public struct StructuredLocation: Hashable, Sendable {
  /// Its name.
  public var title: String
  /// Its coordinate; `nil` for a place with a name only, where no alarm can go off.
  public var coordinate: Coordinate?
  /// Its radius in metres; 0 for the default, ``defaultRadius``.
  public var radius: Double
  /// Its outline, if it is not a circle.
  public var outline: [Polygon]
  /// Its postal address.
  public var address: String?
  /// Parameters of X-APPLE-STRUCTURED-LOCATION that this model has no field for, as `NAME=value`. They are
  /// exported again.
  public var preservedParameters: [String]

  /// The radius in metres of a place without one. Apple documents no value; its own programs write this one.
  public static let defaultRadius = 100.0
  /// Metres: a smaller radius is less than the usual error of a phone's position, so its alarms may not go off.
  public static let sensibleRadius = 25.0
  /// The radii in metres that people and programs may give: up to half the Earth's circumference.
  public static let possibleRadius = 1.0...20_000_000.0

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

  /// The region that it covers; `nil` if its position is unknown.
  public var region: Region? {
    if !outline.isEmpty { return .polygons(outline) }
    guard let coordinate, coordinate.isValid else { return nil }
    return .circle(center: coordinate, radius: effectiveRadius)
  }

  /// Its radius in metres, or the default one.
  public var effectiveRadius: Double { radius > 0 ? radius : StructuredLocation.defaultRadius }
}
