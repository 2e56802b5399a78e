import FencepostCalendarModel
import FencepostGeodesy

/// Places: `geo:` URIs (RFC 5870) with all common variations, and GEO (RFC 5545, section 3.8.1.6).
enum GeoValue {
  /// Reads `geo:46.14,8.91;u=100` and common variations: quotes around it, an escaped comma, white space
  /// after the comma, an altitude, `?u=` for the radius. `nil` without coordinates.
  static func readURI(_ text: ArraySlice<UInt8>) -> (coordinate: Coordinate, radius: Double?)? {
    let plain = text.contains(where: isNoise) ? ArraySlice(text.filter { !isNoise($0) }) : text
    guard begins(plain, "geo:") else { return nil }
    var rest = plain.dropFirst(4).drop(while: isSeparator)
    let place = rest.prefix { !isSeparator($0) }
    guard let comma = place.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let second = place[(comma + 1)...]
    let end = second.firstIndex(of: UInt8(ascii: ",")) ?? second.endIndex
    // Only an altitude may follow. Apple sometimes breaks the line after the comma with an escaped newline.
    guard !second.dropFirst(end + 1 - second.startIndex).contains(UInt8(ascii: ",")),
      let latitude = number(place[..<comma]),
      let longitude = number(second[..<end].drop { $0 == UInt8(ascii: "n") })
    else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { return nil }
    rest = rest[place.endIndex...]
    while !rest.isEmpty {
      rest = rest.drop(while: isSeparator)
      let part = rest.prefix { !isSeparator($0) }
      if begins(part, "u=") {
        return (coordinate, readRadius(String(decoding: part.dropFirst(2), as: UTF8.self)))
      }
      rest = rest[part.endIndex...]
    }
    return (coordinate, nil)
  }

  /// True if `text` begins with `start` in any case. `start` is in lower case.
  static func begins(_ text: ArraySlice<UInt8>, _ start: StaticString) -> Bool {
    let start = UnsafeBufferPointer(start: start.utf8Start, count: start.utf8CodeUnitCount)
    return text.count >= start.count && zip(text, start).allSatisfy { $0 | 0x20 == $1 }
  }

  private static func number(_ text: ArraySlice<UInt8>) -> Double? {
    Double(String(decoding: text, as: UTF8.self))
  }

  /// True for bytes without a meaning in a `geo:` URI: quotes, escapes, blanks.
  private static func isNoise(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: " ") || byte == 0x09
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "&")
  }

  /// Reads GEO's `37.386013;-122.082932`. Accepts a comma or an escape in the middle.
  static func readGEO(_ text: String) -> Coordinate? {
    let numbers = text.split { ";,\\ ".contains($0) }
    guard numbers.count == 2, let latitude = Double(numbers[0]), let longitude = Double(numbers[1]) else {
      return nil
    }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    return coordinate.isValid ? coordinate : nil
  }

  /// A radius in metres; `nil` if it is not finite and above 0.
  static func readRadius(_ text: some StringProtocol) -> Double? {
    guard let radius = Double(text), radius.isFinite, radius > 0 else { return nil }
    return radius
  }

  /// `geo:latitude,longitude`, with the radius in metres as `u` if there is one.
  static func uri(_ coordinate: Coordinate, radius: Double? = nil) -> String {
    let uri = "geo:\(coordinate.latitude.decimalText),\(coordinate.longitude.decimalText)"
    return radius.map { "\(uri);u=\($0.decimalText)" } ?? uri
  }
}
