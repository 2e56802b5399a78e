public import FencepostGeodesy

/// A place that a geocoder found.
public struct GeocodedPlace: Hashable, Sendable {
  /// Its position.
  public var coordinate: Coordinate
  /// The distance from there to the farthest corner of its area, in metres; `nil` if unknown.
  public var radius: Double?
  /// Its name, or its address in one line; `nil` if unknown.
  public var name: String?
  /// Its address.
  public var address = PostalAddress()

  /// A place.
  public init(coordinate: Coordinate, radius: Double? = nil, name: String? = nil) {
    self.coordinate = coordinate
    self.radius = radius
    self.name = name
  }
}

/// The parts of an address; `nil` for unknown parts.
public struct PostalAddress: Hashable, Sendable, Codable {
  /// The street.
  public var street: String?
  /// The house number.
  public var houseNumber: String?
  /// The suburb.
  public var suburb: String?
  /// The town or village.
  public var city: String?
  /// The county.
  public var county: String?
  /// The state or province.
  public var state: String?
  /// The postal code.
  public var postalCode: String?
  /// The country.
  public var country: String?
  /// The country code: two capital letters (ISO 3166-1).
  public var countryCode: String?

  /// An empty address.
  public init() {}
}
