public import FencepostCalendarModel
import FencepostGeodesy
import FencepostJSON
import FencepostSpatiotemporal

/// Named places as a file for other programs, which ``PlaceFile`` reads too.
public enum PlaceExport {
  /// Waypoints of GPX 1.1 with Garmin's `Proximity` as radius. An outline becomes its middle.
  public static func gpx(_ places: [StructuredLocation]) -> String {
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<gpx version=\"1.1\" creator=\"fencepost\" xmlns=\"http://www.topografix.com/GPX/1/1\" "
        + "xmlns:wptx1=\"http://www.garmin.com/xmlschemas/WaypointExtension/v1\">",
    ]
    for place in places {
      guard let coordinate = place.coordinate else { continue }
      lines.append("  <wpt lat=\"\(coordinate.latitude)\" lon=\"\(coordinate.longitude)\">")
      lines.append("    <name>\(escaped(place.title))</name>")
      if let address = place.address { lines.append("    <desc>\(escaped(address))</desc>") }
      if place.radius > 0, place.outline.isEmpty {
        lines.append(
          "    <extensions><wptx1:WaypointExtension><wptx1:Proximity>\(place.radius)</wptx1:Proximity>"
            + "</wptx1:WaypointExtension></extensions>")
      }
      lines.append("  </wpt>")
    }
    return (lines + ["</gpx>", ""]).joined(separator: "\n")
  }

  /// Features of GeoJSON (RFC 7946): points with a `radius`, or polygons.
  public static func geoJSON(_ places: [StructuredLocation]) -> String {
    let features = places.compactMap { place -> JSONLine? in
      guard let coordinate = place.coordinate else { return nil }
      var properties = JSONLine()
      properties.add("name", place.title)
      if let address = place.address { properties.add("address", address) }
      var geometry = JSONLine(type: place.outline.isEmpty ? "Point" : "MultiPolygon")
      if place.outline.isEmpty {
        if place.radius > 0 { properties.add("radius", place.radius) }
        geometry.add("coordinates", json: "[\(coordinate.longitude),\(coordinate.latitude)]")
      } else {
        let polygons = place.outline.map { polygon in
          let rings = ([polygon.exterior] + polygon.holes).map { ring in
            // A ring ends where it begins (section 3.1.6).
            let points = ring + (ring.first == ring.last ? [] : Array(ring.prefix(1)))
            return "[" + points.map { "[\($0.longitude),\($0.latitude)]" }.joined(separator: ",") + "]"
          }
          return "[" + rings.joined(separator: ",") + "]"
        }
        geometry.add("coordinates", json: "[" + polygons.joined(separator: ",") + "]")
      }
      var feature = JSONLine(type: "Feature")
      feature.add("properties", properties)
      feature.add("geometry", geometry)
      return feature
    }
    var line = JSONLine(type: "FeatureCollection")
    line.add("features", features)
    return line.line + "\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .filter { character in
        character.unicodeScalars.allSatisfy {
          $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
        }
      }
  }
}
