import CalendarModel
import FoundationEssentials
import Geodesy

/// X-FENCEPOST-OUTLINE: a place's outline as GeoJSON (RFC 7946), a Polygon or MultiPolygon.
enum Outline {
  private struct Shape: Decodable {
    var type: String
    var polygons: [[[[Double]]]]

    enum CodingKeys: CodingKey { case type, coordinates }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      type = try container.decode(String.self, forKey: .type)
      if type == "MultiPolygon" {
        polygons = try container.decode([[[[Double]]]].self, forKey: .coordinates)
      } else {
        polygons = [try container.decode([[[Double]]].self, forKey: .coordinates)]
      }
    }
  }

  /// Reads GeoJSON's text; empty where it is no polygon, or one that is none on the Earth.
  static func read(_ text: String) -> [Polygon] {
    guard let shape = try? JSONDecoder().decode(Shape.self, from: Data(text.utf8)),
      shape.type == "Polygon" || shape.type == "MultiPolygon"
    else { return [] }
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
  static func text(_ polygons: [Polygon]) -> String {
    let shapes = polygons.map { polygon in
      "[" + ([polygon.exterior] + polygon.holes).map(text).joined(separator: ",") + "]"
    }
    return polygons.count == 1
      ? "{\"type\":\"Polygon\",\"coordinates\":\(shapes[0])}"
      : "{\"type\":\"MultiPolygon\",\"coordinates\":[\(shapes.joined(separator: ","))]}"
  }

  /// The points of a ring, the last one left out where it is the first again.
  private static func ring(_ points: [[Double]]) -> [Coordinate] {
    var ring = points.map { point in
      point.count >= 2
        ? Coordinate(latitude: point[1], longitude: point[0])
        : Coordinate(latitude: .nan, longitude: .nan)
    }
    if ring.count > 1, ring.first == ring.last { ring.removeLast() }
    return ring
  }

  private static func text(_ ring: [Coordinate]) -> String {
    let points = (ring + ring.prefix(1)).map {
      "[\(GeoValue.decimal($0.longitude)),\(GeoValue.decimal($0.latitude))]"
    }
    return "[" + points.joined(separator: ",") + "]"
  }
}
