import CalendarModel
import Geodesy

/// Places: `geo:` URIs (RFC 5870) in every form that programs write, and GEO (RFC 5545, section 3.8.1.6).
enum GeoValue {
  /// Reads `geo:46.14,8.91;u=100`, and what is found in its stead: the whole quoted, the comma escaped,
  /// white space after it, an altitude, `?u=` for the radius. `nil` where there are no such coordinates.
  static func readURI(_ text: String) -> (coordinate: Coordinate, radius: Double?)? {
    let plain = text.unicodeScalars.filter { !"\"\\ \t".unicodeScalars.contains($0) }
    var rest = Substring(String(plain))
    guard rest.lowercased().hasPrefix("geo:") else { return nil }
    rest = rest.dropFirst(4)
    let parts = rest.split(omittingEmptySubsequences: true) { ";?&".contains($0) }
    guard let first = parts.first else { return nil }
    let numbers = first.split(separator: ",", omittingEmptySubsequences: false)
    // Apple has been seen to break the line after the comma with an escaped newline.
    guard numbers.count == 2 || numbers.count == 3, let latitude = Double(numbers[0]),
      let longitude = Double(numbers[1].drop { $0 == "n" })
    else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { return nil }
    let radius = parts.dropFirst().lazy.filter { $0.lowercased().hasPrefix("u=") }.first
      .flatMap { readRadius($0.dropFirst(2)) }
    return (coordinate, radius)
  }

  /// Reads GEO's `37.386013;-122.082932`, a comma or an escape in the middle let pass.
  static func readGEO(_ text: String) -> Coordinate? {
    let numbers = text.split { ";,\\ ".contains($0) }
    guard numbers.count == 2, let latitude = Double(numbers[0]), let longitude = Double(numbers[1]) else {
      return nil
    }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    return coordinate.isValid ? coordinate : nil
  }

  /// A radius in metres; `nil` where it is no finite number above 0.
  static func readRadius(_ text: some StringProtocol) -> Double? {
    guard let radius = Double(text), radius.isFinite, radius > 0 else { return nil }
    return radius
  }

  /// `geo:latitude,longitude`, and the radius in metres as `u` where one is given.
  static func uri(_ coordinate: Coordinate, radius: Double? = nil) -> String {
    let uri = "geo:\(coordinate.latitude.decimalText),\(coordinate.longitude.decimalText)"
    return radius.map { "\(uri);u=\($0.decimalText)" } ?? uri
  }
}
