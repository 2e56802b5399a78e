import FencepostAlarmEngine
public import FencepostCalendarModel
import FencepostGeodesy
import FencepostICalendar
public import FencepostJSON

extension StructuredLocation {
  /// The place as JSON with all properties, and its outline as the coordinates of a GeoJSON MultiPolygon (RFC
  /// 7946).
  public var wholeJSON: JSONLine {
    var line = json
    if let polygonsJSON { line.add("polygons", json: polygonsJSON) }
    if let address { line.add("address", address) }
    return line
  }

  /// The outline as the coordinates of a GeoJSON MultiPolygon (RFC 7946); `nil` for a circle.
  var polygonsJSON: String? {
    if outline.isEmpty { return nil }
    let polygons = outline.map { polygon in
      let rings = ([polygon.exterior] + polygon.holes).map { ring in
        let points = (ring + ring.prefix(1)).map { "[\($0.longitude),\($0.latitude)]" }
        return "[" + points.joined(separator: ",") + "]"
      }
      return "[" + rings.joined(separator: ",") + "]"
    }
    return "[" + polygons.joined(separator: ",") + "]"
  }

  /// The maximum points of an outline; hand-drawn ones have fewer.
  private static let maximumPoints = 10_000

  /// Applies an object to the place; missing keys keep their values.
  ///
  /// - Throws: ``ItemPatchError``, with a pointer relative to the object.
  public mutating func change(by json: JSONValue) throws(ItemPatchError) {
    guard let members = json.members else { throw ItemPatchError("", "a place must be an object") }
    var latitude = coordinate?.latitude
    var longitude = coordinate?.longitude
    for member in members {
      let reader = PatchReader(value: member.value, key: member.key)
      switch member.key {
      case "title": title = try reader.text()
      case "latitude": latitude = member.value.isNull ? nil : try reader.number(in: -90...90)
      case "longitude": longitude = member.value.isNull ? nil : try reader.number(in: -180...180)
      case "radius":
        let metres = try reader.number(in: Self.possibleRadius)
        // A place without a radius is shown with the default one, so that value is no change.
        if radius > 0 || metres != StructuredLocation.defaultRadius { radius = metres }
      case "address": address = try reader.optionalText()
      case "polygons": outline = try Self.outline(reader)
      case "type", "alarms", "alarms_moved", "from": break
      default: throw reader.fail("is not known")
      }
    }
    if let first = outline.first?.exterior.first, latitude == nil || longitude == nil {
      (latitude, longitude) = (first.latitude, first.longitude)
    }
    guard (latitude == nil) == (longitude == nil) else {
      throw ItemPatchError("", "a place needs both latitude and longitude, or neither")
    }
    coordinate = latitude.flatMap { latitude in
      longitude.map { Coordinate(latitude: latitude, longitude: $0) }
    }
  }

  static func outline(_ reader: PatchReader) throws(ItemPatchError) -> [Polygon] {
    if reader.value.isNull || reader.value.list?.isEmpty == true { return [] }
    var count = 0
    var polygons: [Polygon] = []
    for polygon in reader.value.list ?? [] {
      var rings: [[Coordinate]] = []
      for ring in polygon.list ?? [] {
        var points: [Coordinate] = []
        for point in ring.list ?? [] {
          guard let numbers = point.list?.map(\.number), numbers.count >= 2, let longitude = numbers[0],
            let latitude = numbers[1]
          else { throw reader.fail("each point must be [longitude, latitude]") }
          points.append(Coordinate(latitude: latitude, longitude: longitude))
        }
        if points.count > 1, points.first == points.last { points.removeLast() }
        guard points.count >= 3, points.allSatisfy(\.isValid) else {
          throw reader.fail("each ring needs three points or more, within the bounds of the Earth")
        }
        count += points.count
        rings.append(points)
      }
      guard let exterior = rings.first else { throw reader.fail("each polygon needs an outer ring") }
      polygons.append(Polygon(exterior: exterior, holes: Array(rings.dropFirst())))
    }
    guard !polygons.isEmpty else { throw reader.fail("must be a list of polygons") }
    guard count <= maximumPoints else { throw reader.fail("has more than \(maximumPoints) points") }
    return polygons
  }
}
