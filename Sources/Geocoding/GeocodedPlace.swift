public import Geodesy

/// A place that a geocoder found.
public struct GeocodedPlace: Hashable, Sendable {
  /// Where.
  public var coordinate: Coordinate
  /// Metres from there to the corner of what it covers; `nil` where that is not known.
  public var radius: Double?
  /// What it is called, or its address in one line; `nil` where all that is known is where it is.
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

/// The parts of an address; `nil` for those that are not known.
public struct PostalAddress: Hashable, Sendable, Codable {
  /// The street.
  public var street: String?
  /// The house number.
  public var houseNumber: String?
  /// The part of the town.
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
  /// The country's two letters (ISO 3166-1), large.
  public var countryCode: String?

  /// An address of which nothing is known.
  public init() {}
}
