import CalendarModel
import Geodesy

/// VLOCATION (RFC 9073, section 7.2): a place as a component, which RFC 9074 puts in proximity alarms.
struct LocationComponent {
  /// The place that it tells; its radius is the `u` of its `geo:` URI, as RFC 9074 has it.
  var place: StructuredLocation

  /// Reads a component's text, lines unfolded; `nil` where it tells neither a name nor coordinates.
  init?(text: String) {
    place = StructuredLocation(title: "")
    var depth = 0
    for part in text.split(separator: "\n") {
      guard let line = ContentLine(String(part)) else { continue }
      switch line.name {
      case "BEGIN": depth += 1
      case "END": depth -= 1
      case "NAME" where depth == 1: place.title = TextValue.decode(line.bytes[line.valueRange])
      case "URL" where depth == 1:
        guard let geo = GeoValue.readURI(line.bytes[line.valueRange]) else { continue }
        place.coordinate = geo.coordinate
        place.radius = geo.radius ?? place.radius
      case "GEO" where depth == 1: place.coordinate = place.coordinate ?? GeoValue.readGEO(line.value)
      default: break
      }
    }
    if place.coordinate == nil && place.title.isEmpty { return nil }
  }

  /// The text of a component for `place`, lines unfolded and joined by newlines.
  static func text(_ place: StructuredLocation, uid: String) -> String {
    var lines = ["BEGIN:VLOCATION", "UID:\(TextValue.encode(uid))"]
    if !place.title.isEmpty { lines.append("NAME:\(TextValue.encode(place.title))") }
    if let coordinate = place.coordinate {
      lines.append("URL:\(GeoValue.uri(coordinate, radius: place.radius > 0 ? place.radius : nil))")
    }
    return (lines + ["END:VLOCATION"]).joined(separator: "\n")
  }

  /// True where it tells where `other` is, though `other` may tell more.
  func agrees(with other: StructuredLocation) -> Bool {
    place.title == other.title && place.coordinate == other.coordinate && place.radius == other.radius
  }
}
