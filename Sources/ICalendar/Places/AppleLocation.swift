import CalendarModel
import Geodesy

/// X-APPLE-STRUCTURED-LOCATION: a place as a `geo:` URI whose parameters tell the title, the radius and more.
///
/// Apple's own spelling keeps to no grammar: titles with colons and semicolons stand unquoted, commas and
/// line breaks are escaped as if in TEXT, the value may be quoted.
enum AppleLocation {
  private static let title = "X-TITLE"
  private static let address = "X-ADDRESS"
  private static let radius = "X-APPLE-RADIUS"
  /// Says that a backslash in title and address is a backslash: Fencepost's own, written where one stands.
  private static let literal = "X-FENCEPOST-LITERAL"

  /// Reads the place. It has no coordinate where the value is no `geo:` URI.
  static func read(_ line: ContentLine) -> StructuredLocation {
    let line = resplit(line)
    let parameters = line.parameters
    let isLiteral = parameters.contains { $0.name == literal }
    var place = StructuredLocation(title: "")
    var uriRadius: Double?
    if let geo = GeoValue.readURI(line.bytes[line.valueRange]) {
      place.coordinate = geo.coordinate
      uriRadius = geo.radius
    }
    var ownRadius: Double?
    for parameter in parameters {
      switch parameter.name {
      case title, "LABEL": place.title = text(parameter, isLiteral)
      case address: place.address = text(parameter, isLiteral)
      case radius:
        ownRadius = GeoValue.readRadius(parameter.value)
        if ownRadius == nil { place.preservedParameters.append(parameter.text) }
      case literal: break
      case "VALUE": break
      default: place.preservedParameters.append(parameter.text)
      }
    }
    place.radius = ownRadius ?? uriRadius ?? 0
    return place
  }

  /// The line, unfolded, that tells `place`.
  static func line(_ place: StructuredLocation) -> String {
    var parameters = ["VALUE=URI"]
    func hasBackslash(_ text: String?) -> Bool { text?.utf8.contains(UInt8(ascii: "\\")) ?? false }
    if hasBackslash(place.title) || hasBackslash(place.address) { parameters.append("\(literal)=TRUE") }
    if let address = place.address { parameters.append("\(self.address)=\(ParameterText.encode(address))") }
    if place.radius > 0 { parameters.append("\(radius)=\(place.radius.decimalText)") }
    // A radius of 0 is kept as another program wrote it, until there is one.
    parameters += place.preservedParameters.filter { place.radius <= 0 || !$0.hasPrefix("\(radius)=") }
    if !place.title.isEmpty { parameters.append("\(title)=\(ParameterText.encode(place.title))") }
    let uri = place.coordinate.map { GeoValue.uri($0) } ?? ""
    return "\(PropertyName.appleLocation.rawValue);\(parameters.joined(separator: ";")):\(uri)"
  }

  /// True where ``line(_:)`` tells `place`, which `line` told, as `line` does.
  static func writes(_ place: StructuredLocation, as line: ContentLine) -> Bool {
    // Cheap to see, and mostly so: other programs have parameters of their own before the title.
    line.bytes[line.parameterRange].starts(with: "VALUE=URI".utf8)
      && self.line(place).utf8.elementsEqual(line.bytes[line.range])
  }

  /// The line with the value begun at its last `:geo:`, where an unquoted colon in a title came first.
  private static func resplit(_ line: ContentLine) -> ContentLine {
    let value = line.bytes[line.valueRange]
    if GeoValue.begins(value.drop { $0 == UInt8(ascii: "\"") }, "geo:") { return line }
    let marker: StaticString = ":geo:"
    let last = line.valueRange.upperBound - marker.utf8CodeUnitCount
    let colon = stride(from: last, through: line.valueRange.lowerBound, by: -1).first {
      GeoValue.begins(value[$0...], marker)
    }
    return colon.map { line.splitting(at: $0) } ?? line
  }

  /// A title or address: RFC 6868's escapes, and Apple's backslashes, which stand once or twice.
  private static func text(_ parameter: ContentLine.Parameter, _ isLiteral: Bool) -> String {
    let value = parameter.value
    guard !isLiteral, value.utf8.contains(UInt8(ascii: "\\")) else { return value }
    let bytes = Array(value.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "\\") { index += 1 }
      switch index < bytes.count ? bytes[index] : 0 {
      case UInt8(ascii: "n"), UInt8(ascii: "N"): result.append(UInt8(ascii: "\n"))
      case let byte where [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":")].contains(byte):
        result.append(byte)
      default:
        result.append(UInt8(ascii: "\\"))
        continue
      }
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }
}
