public import Geodesy

/// Coordinates as people write and copy them.
///
/// - Decimal degrees: `52.5208,13.4094`, `52,5208 13,4094`, `N 52.5208° E 13.4094°`.
/// - Degrees, minutes and seconds: `52°31'14.9"N 13°24'33.8"E`, `52 31 14.9 N, 13 24 33.8 E`, `N 52° 31.248' E 13° 24.56'`.
/// - `geo:` URIs (RFC 5870): `geo:52.5208,13.4094;u=20`.
/// - Links of OpenStreetMap, Google Maps and Apple Maps that hold a coordinate.
///
/// Latitude comes first, unless letters say otherwise.
public enum CoordinateText {
  /// What a text says of a coordinate.
  public enum Reading: Hashable, Sendable {
    /// This one.
    case coordinate(Coordinate)
    /// One that is nowhere on Earth.
    case outOfRange
    /// Nothing.
    case none
  }

  /// Texts longer than this are no coordinates.
  static let mostBytes = 4_096

  /// The coordinate that `text` says; `nil` where it says none, or one that is nowhere on Earth.
  public static func coordinate(_ text: some StringProtocol) -> Coordinate? {
    if case .coordinate(let coordinate) = read(text) { coordinate } else { nil }
  }

  /// What `text` says.
  public static func read(_ text: some StringProtocol) -> Reading {
    guard text.utf8.count <= mostBytes else { return .none }
    let text = text.drop(while: \.isWhitespace)
    if text.prefix(4).lowercased() == "geo:" { return GeoURI.read(text.dropFirst(4)) }
    if let link = MapLink(text) { return link.coordinate.map { checked($0) } ?? .none }
    return AnglePair(text).map { checked($0.coordinate) } ?? .none
  }

  static func checked(_ coordinate: Coordinate) -> Reading {
    coordinate.isValid ? .coordinate(coordinate) : .outOfRange
  }
}

/// What follows `geo:` (RFC 5870, section 3.3).
private enum GeoURI {
  static func read(_ text: some StringProtocol) -> CoordinateText.Reading {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = (parts.first ?? "").split(separator: ";", omittingEmptySubsequences: false)
    // Of other reference systems than WGS 84 the RFC knows none.
    let systems = fields.dropFirst().filter { $0.lowercased().hasPrefix("crs=") }
    guard systems.allSatisfy({ $0.lowercased() == "crs=wgs84" }) else { return .none }
    let numbers = (fields.first ?? "").split(separator: ",", omittingEmptySubsequences: false).map {
      Angle.decimal($0.drop(while: \.isWhitespace))
    }
    guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1],
      numbers.count == 2 || numbers[2] != nil
    else { return .none }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    // Android says a point as geo:0,0?q=LATITUDE,LONGITUDE(LABEL).
    if latitude == 0, longitude == 0, parts.count == 2 {
      let asked = QueryWords(parts[1])["q"].map { $0.prefix { $0 != "(" } }
      if let named = asked.flatMap({ AnglePair($0) }) { return CoordinateText.checked(named.coordinate) }
    }
    return CoordinateText.checked(coordinate)
  }
}
