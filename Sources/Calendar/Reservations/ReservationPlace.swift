public import FencepostGeodesy

/// A place of a booking.
public struct ReservationPlace: Hashable, Sendable {
  /// Its name.
  public var name: String?
  /// The IATA code of an airport, in capital letters.
  public var code: String?
  /// Its postal address on one line.
  public var address: String?
  /// Its town.
  public var locality: String?
  /// Its country as written: a code of two letters or a name.
  public var country: String?
  /// Its position.
  public var coordinate: Coordinate?

  /// A place.
  public init(
    name: String? = nil, code: String? = nil, address: String? = nil, locality: String? = nil,
    country: String? = nil, coordinate: Coordinate? = nil
  ) {
    self.name = name
    self.code = code
    self.address = address
    self.locality = locality
    self.country = country
    self.coordinate = coordinate
  }

  /// The name that people know: its name, otherwise its code, town or address.
  public var label: String? { name ?? code ?? locality ?? address }

  /// The airport with its code, if the table has it.
  var airport: Airport? { code.flatMap { Airport.table[$0] } }

  /// This place, with missing details from the table of airports.
  func completed() -> ReservationPlace {
    guard let airport else { return self }
    var place = self
    place.name = name ?? airport.name
    place.locality = locality ?? airport.city
    place.country = country ?? airport.country
    place.coordinate = coordinate ?? airport.coordinate
    return place
  }
}
