import FencepostAlgorithms
public import FencepostGeodesy
import FencepostWebClient
import FoundationEssentials

/// A server that finds places by name and addresses by coordinate. It speaks Nominatim's API, like Photon's
/// and other servers' proxies (https://nominatim.org/release-docs/latest/api/Overview/).
///
/// The server learns every search, so Fencepost asks one only if the user has set one. Calls block.
public struct GeocodingServer: Hashable, Sendable {
  /// Its address, without a trailing slash.
  public let address: String

  /// The server at an `http:` or `https:` address, for example `https://nominatim.openstreetmap.org`; `nil`
  /// for other addresses.
  public init?(_ address: String) {
    let bare = address.hasSuffix("/") ? address.dropLast() : address[...]
    guard let scheme = bare.firstRange(of: "://"),
      !bare.contains(where: { $0.isWhitespace || "?#".contains($0) }),
      ["http", "https"].contains(bare[..<scheme.lowerBound].lowercased()), scheme.upperBound < bare.endIndex
    else { return nil }
    self.address = String(bare)
  }

  /// The maximum number of places in a response.
  private static let maxPlaces = 10
  /// The maximum size of a response in bytes.
  private static let limit = 1 << 20
  /// The maximum time to wait for a response, in seconds.
  private static let timeout = 15.0

  /// The host that is asked, without a user and password.
  public var host: String {
    let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
    let authority = rest.prefix { $0 != "/" }
    return String(authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority)
  }

  /// Whom its answers must name; `nil` if that is not known.
  public var attribution: String? {
    host == "openstreetmap.org" || host.hasSuffix(".openstreetmap.org") ? "© OpenStreetMap contributors" : nil
  }

  /// Finds places by name or address, best match first; empty if the server knows none.
  ///
  /// - Parameters:
  ///   - near: Where the user is; places in its region come first. The server learns the region only, a square of
  ///     two degrees whose corners are whole degrees.
  ///   - language: Languages in the format of the header Accept-Language; `nil` for the server's choice.
  /// - Throws: ``GeocodingFailure`` if the request fails, or the response is unreadable.
  public func places(
    named name: String, near: Coordinate? = nil, language: String? = nil
  ) throws(GeocodingFailure) -> [GeocodedPlace] {
    var query = "q=\(PercentEncoding.encode(name))&limit=\(Self.maxPlaces)"
    if let near {
      let (latitude, longitude) = (near.latitude.rounded(), near.longitude.rounded())
      // At the antimeridian the region is the part on this side.
      let sides = [
        max(longitude - 1, -180), min(latitude + 1, 90), min(longitude + 1, 180), max(latitude - 1, -90),
      ]
      query += "&viewbox=" + sides.map { "\(Int($0))" }.joined(separator: ",")
    }
    return try answer([Result].self, to: "search?\(query)", language).compactMap(\.place)
  }

  /// Finds the address at a coordinate; `nil` if the server has none.
  ///
  /// - Throws: ``GeocodingFailure`` if the request fails, or the response is unreadable.
  public func place(
    at coordinate: Coordinate, language: String? = nil
  ) throws(GeocodingFailure) -> GeocodedPlace? {
    let query = "lat=\(coordinate.latitude.decimalText)&lon=\(coordinate.longitude.decimalText)"
    return try answer(Result.self, to: "reverse?\(query)", language).place
  }

  /// Finds the place of a node, way or relation; `nil` if the server does not know it.
  ///
  /// - Throws: ``GeocodingFailure`` if the request fails, or the response is unreadable.
  public func place(
    of object: OpenStreetMapObject, language: String? = nil
  ) throws(GeocodingFailure) -> GeocodedPlace? {
    try answer([Result].self, to: "lookup?osm_ids=\(object.lookupName)", language).first?.place
  }

  private func answer<Answer: Decodable>(
    _ type: Answer.Type, to question: String, _ language: String?
  ) throws(GeocodingFailure) -> Answer {
    var request = HTTPClient.Request(url: "\(address)/\(question)&format=jsonv2&addressdetails=1")
    // Public servers ask who comes (https://operations.osmfoundation.org/policies/nominatim/).
    request.headers = ["Accept: application/json", "User-Agent: fencepost"]
    if let language { request.headers.append("Accept-Language: \(language)") }
    request.followsRedirects = true
    request.limit = Self.limit
    request.timeout = Self.timeout
    let response: HTTPClient.Response
    do {
      response = try HTTPClient().send(request)
    } catch {
      throw GeocodingFailure(description: "the geocoder: \(error)")
    }
    guard response.status == 200 else {
      throw GeocodingFailure(description: "the geocoder returned status \(response.status)")
    }
    do {
      return try JSONDecoder().decode(Answer.self, from: Data(response.body))
    } catch {
      throw GeocodingFailure(description: "the geocoder's response is not readable")
    }
  }
}

/// A request to a geocoder failed. The description is one line without the server's address.
public struct GeocodingFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason.
  public let description: String
}

/// A place in Nominatim's `jsonv2` format. A reverse search without a result has `error` instead.
private struct Result: Decodable {
  var lat: String?
  var lon: String?
  var name: String?
  var display_name: String?
  var boundingbox: [String]?
  var address: [String: String]?

  var place: GeocodedPlace? {
    guard let latitude = lat.flatMap({ Angle.decimal($0) }),
      let longitude = lon.flatMap({ Angle.decimal($0) })
    else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { return nil }
    var place = GeocodedPlace(
      coordinate: coordinate, radius: radius(around: coordinate),
      name: [name, display_name].lazy.compactMap { $0 }.first { !$0.isEmpty })
    func first(_ keys: String...) -> String? { keys.lazy.compactMap { address?[$0] }.first }
    place.address.street = first("road", "pedestrian", "footway", "path", "square")
    place.address.houseNumber = first("house_number")
    place.address.suburb = first("suburb", "neighbourhood", "quarter", "city_district")
    place.address.city = first("city", "town", "village", "municipality", "hamlet")
    place.address.county = first("county")
    place.address.state = first("state", "region", "province")
    place.address.postalCode = first("postcode")
    place.address.country = first("country")
    place.address.countryCode = first("country_code")?.uppercased()
    return place
  }

  /// The bounding box is south, north, west, east.
  private func radius(around middle: Coordinate) -> Double? {
    let sides = (boundingbox ?? []).compactMap { Angle.decimal($0) }
    guard sides.count == 4 else { return nil }
    let corners = [(0, 2), (0, 3), (1, 2), (1, 3)].map {
      Coordinate(latitude: sides[$0.0], longitude: sides[$0.1])
    }
    guard corners.allSatisfy(\.isValid) else { return nil }
    return corners.map { Geodesic.distance(from: middle, to: $0) }.max()
  }
}
