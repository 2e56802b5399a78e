public import CalendarModel
public import Geodesy
import Algorithms

/// An airport of the table that comes with the program: the 728 that most flights go to and from.
///
/// The table (`airports.csv`) has one airport a line: code, country, latitude, longitude, zone, name, city. Coordinates and
/// names follow OurAirports (public domain); zones are names of the IANA data.
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
