public import FencepostCalendarModel
public import FencepostGeodesy
import Glibc

/// A place with a known zone.
public struct ZonePoint: Hashable, Sendable {
  /// The country's code of ISO 3166.
  public var country: String
  /// Its position.
  public var coordinate: Coordinate
  /// Its zone.
  public var zone: TimeZoneID

  /// A place.
  public init(country: String, coordinate: Coordinate, zone: TimeZoneID) {
    self.country = country
    self.coordinate = coordinate
    self.zone = zone
  }

  /// The nearness of a coordinate, from -1 (on the other side of the Earth) to 1: the cosine of the angle between
  /// both. A sphere is enough to choose a zone.
  public func nearness(to other: Coordinate) -> Double {
    let radian = Double.pi / 180
    let (a, b) = (coordinate.latitude * radian, other.latitude * radian)
    return sin(a) * sin(b) + cos(a) * cos(b) * cos((coordinate.longitude - other.longitude) * radian)
  }
}

/// The zones and countries in the system's tzdata: `zone.tab` and `iso3166.tab`.
public struct ZoneTable: Sendable {
  /// The largest town of each zone. The zones of a country are in the data's order.
  public let points: [ZonePoint]
  /// The codes of countries by code and by English name, in lower case.
  public let countries: [String: String]

  /// The tables of a directory, for example `/usr/share/zoneinfo`; empty if it has none.
  public init(directory: String) {
    points = Self.rows("\(directory)/zone.tab").compactMap { fields in
      guard fields.count >= 3, let coordinate = Self.coordinate(fields[1]) else { return nil }
      return ZonePoint(country: fields[0], coordinate: coordinate, zone: TimeZoneID(rawValue: fields[2]))
    }
    var countries: [String: String] = [:]
    for fields in Self.rows("\(directory)/iso3166.tab") where fields.count >= 2 {
      countries[fields[0].lowercased()] = fields[0]
      countries[fields[1].lowercased()] = fields[0]
    }
    // Names that are more common than those in the table.
    let others = [
      "united states": "US", "united states of america": "US", "usa": "US", "united kingdom": "GB",
      "uk": "GB",
      "great britain": "GB", "england": "GB", "scotland": "GB", "wales": "GB", "deutschland": "DE",
      "österreich": "AT",
      "schweiz": "CH", "suisse": "CH", "españa": "ES", "italia": "IT", "nederland": "NL",
      "the netherlands": "NL",
      "czechia": "CZ", "south korea": "KR", "belgique": "BE", "polska": "PL", "sverige": "SE", "norge": "NO",
      "danmark": "DK", "suomi": "FI",
    ]
    self.countries = countries.merging(others) { code, _ in code }
  }

  private static func rows(_ path: String) -> [[String]] {
    let text = String(decoding: SystemFiles.contents(path) ?? [], as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Reads ISO 6709: `+5230+01322` or `+404251-0740023`.
  private static func coordinate(_ text: String) -> Coordinate? {
    guard let second = text.dropFirst().firstIndex(where: { $0 == "+" || $0 == "-" }),
      let latitude = degrees(text[..<second], digits: 2), let longitude = degrees(text[second...], digits: 3)
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private static func degrees(_ text: Substring, digits: Int) -> Double? {
    let number = text.dropFirst()
    guard let whole = Double(number.prefix(digits)),
      let minutes = Double(number.dropFirst(digits).prefix(2))
    else { return nil }
    let seconds = Double(number.dropFirst(digits + 2)) ?? 0
    return (text.first == "-" ? -1 : 1) * (whole + minutes / 60 + seconds / 3600)
  }
}
