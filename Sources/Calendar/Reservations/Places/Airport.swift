import FencepostAlgorithms
public import FencepostCalendarModel
public import FencepostGeodesy

/// An airport of the table that comes with the program: the 1,213 that most flights go to and from.
///
/// The table (`airports.csv`) has one airport a line: code, country, latitude, longitude, zone, name, city. Coordinates and
/// names follow OurAirports (public domain) or the package airportsdata (MIT), or are the city's; zones are names of the IANA
/// data. Closed airports have their own city, so that the city's name alone is the new one.
public struct Airport: Hashable, Sendable {
  /// The IATA code.
  public var code: String
  /// The country's code of ISO 3166.
  public var country: String
  /// Its middle.
  public var coordinate: Coordinate
  /// Its zone.
  public var zone: TimeZoneID
  /// Its name.
  public var name: String
  /// The city that it serves.
  public var city: String

  /// The airports by code.
  public static let table: [String: Airport] = {
    let text = String(decoding: PackageResources.airports_csv, as: UTF8.self)
    let airports = text.split(separator: "\n").compactMap(Airport.init(line:))
    return Dictionary(airports.map { ($0.code, $0) }) { first, _ in first }
  }()

  /// The codes by names of airports and of cities with only one, in the form of ``PlainText/key(_:)``.
  private static let codes: [String: String] = {
    var codes: [String: Set<String>] = [:]
    for airport in table.values {
      for name in [airport.name, airport.city, "\(airport.city) Airport"] {
        codes[PlainText.key(name), default: []].insert(airport.code)
      }
    }
    return codes.compactMapValues { $0.count == 1 ? $0.first : nil }
  }()

  /// The code of the airport that a name stands for; `nil` if none or several.
  static func code(named name: String) -> String? { codes[PlainText.key(name)] }

  private init?(line: Substring) {
    let fields = line.split(separator: ";", omittingEmptySubsequences: false)
    guard fields.count == 7, let latitude = Double(fields[2]), let longitude = Double(fields[3]) else {
      return nil
    }
    code = String(fields[0])
    country = String(fields[1])
    coordinate = Coordinate(latitude: latitude, longitude: longitude)
    zone = TimeZoneID(rawValue: String(fields[4]))
    name = String(fields[5])
    city = String(fields[6])
  }
}
