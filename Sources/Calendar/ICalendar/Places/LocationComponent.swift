import FencepostCalendarModel
import FencepostGeodesy

/// VLOCATION (RFC 9073, section 7.2): a place as a component. RFC 9074 uses it in proximity alarms.
struct LocationComponent {
  /// The place. Its radius is the `u` of its `geo:` URI, like in RFC 9074.
  var place: StructuredLocation

  /// Reads the unfolded text of a component; `nil` if it has neither a name nor coordinates.
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

  /// The text of a component for `place`, as unfolded lines joined by newlines.
  static func text(_ place: StructuredLocation, uid: String) -> String {
    var lines = ["BEGIN:VLOCATION", "UID:\(TextValue.encode(uid))"]
    if !place.title.isEmpty { lines.append("NAME:\(TextValue.encode(place.title))") }
    if let coordinate = place.coordinate {
      lines.append("URL:\(GeoValue.uri(coordinate, radius: place.radius > 0 ? place.radius : nil))")
    }
    return (lines + ["END:VLOCATION"]).joined(separator: "\n")
  }

  /// True if title, coordinate and radius are the same. `other` may contain more.
  func agrees(with other: StructuredLocation) -> Bool {
    place.title == other.title && place.coordinate == other.coordinate && place.radius == other.radius
  }
}
