import Geodesy

/// A coordinate, as people copy it from a map: `52.5208,13.4094`, with or without a space, or a `geo:` URI
/// (RFC 5870).
enum CoordinatePhrase {
  static func coordinate(_ text: String) throws(WordError) -> Coordinate {
    var rest = Substring(text)
    if rest.lowercased().hasPrefix("geo:") { rest = rest.dropFirst(4) }
    rest = rest.prefix { $0 != ";" && $0 != "?" }
    let parts = rest.split { $0 == "," || $0 == " " }
    if parts.count == 2 || (parts.count == 3 && rest != text[...]), let latitude = Double(parts[0]),
      let longitude = Double(parts[1])
    {
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
      if coordinate.isValid { return coordinate }
      throw WordError(
        "coordinate on Earth", text, try: "latitude (-90 to 90) first, then longitude (-180 to 180)")
    }
    throw WordError("coordinate", text, try: "LATITUDE,LONGITUDE in degrees, such as 52.5208,13.4094")
  }
}
