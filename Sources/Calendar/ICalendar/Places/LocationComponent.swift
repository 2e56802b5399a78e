public import FencepostCalendarModel
import FencepostGeodesy
import FoundationEssentials

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

/// The properties of an item that describe its place.
struct PlaceProperties {
  /// X-APPLE-STRUCTURED-LOCATION.
  var apple: StructuredLocation?
  /// STRUCTURED-LOCATION of the drafts for RFC 9073.
  var draft: StructuredLocation?
  /// GEO.
  var geo: Coordinate?
  /// X-FENCEPOST-OUTLINE.
  var outline: [Polygon] = []

  /// The place: first Apple's, which has the most data; then a VLOCATION's; then the draft's; then GEO with
  /// LOCATION as its title.
  func resolve(component: () -> StructuredLocation?, title: String?) -> StructuredLocation? {
    var place = apple ?? component() ?? draft.flatMap { $0.coordinate == nil ? nil : $0 }
    if place == nil, let geo { place = StructuredLocation(title: title ?? "", coordinate: geo) }
    place?.outline = outline
    return place
  }
}

/// Outlines as GeoJSON (RFC 7946): a Polygon or MultiPolygon, alone like in X-FENCEPOST-OUTLINE, or in the
/// Features of drawing programs.
public enum Outline {
  /// The polygons of a GeoJSON object and of the objects in it. It ignores other shapes.
  private struct Shape: Decodable {
    var polygons: [[[[Double]]]] = []

    enum CodingKeys: CodingKey { case type, coordinates, geometry, features, geometries }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      switch try container.decode(String.self, forKey: .type) {
      case "Polygon": polygons = [try container.decode([[[Double]]].self, forKey: .coordinates)]
      case "MultiPolygon": polygons = try container.decode([[[[Double]]]].self, forKey: .coordinates)
      case "Feature":
        polygons = try container.decodeIfPresent(Shape.self, forKey: .geometry)?.polygons ?? []
      case "FeatureCollection":
        polygons = try container.decode([Shape].self, forKey: .features).flatMap(\.polygons)
      case "GeometryCollection":
        polygons = try container.decode([Shape].self, forKey: .geometries).flatMap(\.polygons)
      default: break
      }
    }
  }

  /// Reads GeoJSON text; empty if it contains no polygon, or an invalid one.
  public static func read(_ text: String) -> [Polygon] {
    guard let shape = try? JSONDecoder().decode(Shape.self, from: Data(text.utf8)) else { return [] }
    var polygons: [Polygon] = []
    for rings in shape.polygons {
      let read = rings.map(ring)
      guard let exterior = read.first, read.allSatisfy({ $0.count >= 3 && $0.allSatisfy(\.isValid) }) else {
        return []
      }
      polygons.append(Polygon(exterior: exterior, holes: Array(read.dropFirst())))
    }
    return polygons
  }

  /// GeoJSON's text.
  public static func text(_ polygons: [Polygon]) -> String {
    let shapes = polygons.map { polygon in
      "[" + ([polygon.exterior] + polygon.holes).map(text).joined(separator: ",") + "]"
    }
    return polygons.count == 1
      ? "{\"type\":\"Polygon\",\"coordinates\":\(shapes[0])}"
      : "{\"type\":\"MultiPolygon\",\"coordinates\":[\(shapes.joined(separator: ","))]}"
  }

  /// The points of a ring. Drops the last one if it equals the first.
  private static func ring(_ points: [[Double]]) -> [Coordinate] {
    var ring = points.map { point in
      point.count >= 2
        ? Coordinate(latitude: point[1], longitude: wrapped(point[0]))
        : Coordinate(latitude: .nan, longitude: .nan)
    }
    if ring.count > 1, ring.first == ring.last { ring.removeLast() }
    return ring
  }

  /// A longitude within ±180°. Programs that draw a shape across the antimeridian count on, as 180.04.
  private static func wrapped(_ longitude: Double) -> Double {
    guard abs(longitude) > 180, abs(longitude) <= 540 else { return longitude }
    return longitude > 0 ? longitude - 360 : longitude + 360
  }

  private static func text(_ ring: [Coordinate]) -> String {
    let points = (ring + ring.prefix(1)).map {
      "[\($0.longitude.decimalText),\($0.latitude.decimalText)]"
    }
    return "[" + points.joined(separator: ",") + "]"
  }
}
