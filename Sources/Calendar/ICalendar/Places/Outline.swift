public import FencepostCalendarModel
import FencepostGeodesy
import FoundationEssentials

/// Outlines as GeoJSON (RFC 7946): a Polygon or MultiPolygon, alone like in X-FENCEPOST-OUTLINE, or in the Features of
/// drawing programs.
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
        ? Coordinate(latitude: point[1], longitude: point[0])
        : Coordinate(latitude: .nan, longitude: .nan)
    }
    if ring.count > 1, ring.first == ring.last { ring.removeLast() }
    return ring
  }

  private static func text(_ ring: [Coordinate]) -> String {
    let points = (ring + ring.prefix(1)).map {
      "[\($0.longitude.decimalText),\($0.latitude.decimalText)]"
    }
    return "[" + points.joined(separator: ",") + "]"
  }
}
