public import FencepostCalendarModel
public import FencepostDatabase
public import FencepostGeodesy

/// A place near a point: of an item or of one of its alarms.
public struct NearbyPlace: Hashable, Sendable {
  /// The item.
  public var item: CalendarItem
  /// The alarm with this place; `nil` if it is the item's own place.
  public var alarm: Alarm?
  /// The place.
  public var location: StructuredLocation
  /// The distance to its region in metres along the geodesic; 0 inside.
  public var distance: Double
}

extension StoreReader {
  /// The places within a distance of a point, nearest first.
  ///
  /// The spatial index finds the places whose extent overlaps a box around the circle; geodesics decide.
  ///
  /// - Parameters:
  ///   - point: The point.
  ///   - metres: The maximum distance.
  ///   - includesSilenced: Whether completed reminders and cancelled events count.
  ///   - limit: The maximum number of places.
  public func places(
    near point: Coordinate, within metres: Double, includesSilenced: Bool = false, limit: Int = 1_000
  ) throws(StoreError) -> [NearbyPlace] {
    guard point.isValid, metres >= 0 else { return [] }
    let distances = PlaceDistances(point: point)
    var candidates: [Int64: Candidate] = [:]
    for box in BoundingBox(center: point, radius: metres).unwrapped {
      try connection.forEach(Queries.near) {
        $0.add(box)
        $0.add(includesSilenced)
      } _: { row in
        let location = row.int64()
        // A place that spans the antimeridian has two extents, and one may have another place's too.
        guard candidates[location] == nil else { return true }
        let item = row.int64()
        let position = row.optionalInt()
        let place = row.place()
        if let distance = distances.distance(to: place), distance <= metres {
          candidates[location] = Candidate(
            location: location, item: item, position: position, place: place, distance: distance)
        }
        return true
      }
    }
    let nearest = candidates.values.sorted { ($0.distance, $0.location) < ($1.distance, $1.location) }
    var places: [NearbyPlace] = []
    for candidate in nearest.prefix(max(0, limit)) {
      guard let item = try item(row: candidate.item) else { continue }
      let alarm = candidate.position.flatMap { item.alarms.indices.contains($0) ? item.alarms[$0] : nil }
      places.append(
        NearbyPlace(item: item, alarm: alarm, location: candidate.place, distance: candidate.distance))
    }
    return places
  }
}

/// A place within the distance, before its item is loaded.
private struct Candidate {
  var location: Int64
  var item: Int64
  /// The index of the alarm in its item.
  var position: Int?
  var place: StructuredLocation
  var distance: Double
}

extension Binder {
  /// The four bounds for ``SpatialIndex/condition``.
  mutating func add(_ box: BoundingBox) {
    add(box.west)
    add(box.east)
    add(box.south)
    add(box.north)
  }
}

/// SpatiaLite's R*Tree over `location_extents`.
enum SpatialIndex {
  static let name = "idx_location_extents_extent"
  /// Extents `e` that overlap a box. The index holds 32-bit floats, rounded outwards.
  static let extents = """
    \(name) x CROSS JOIN location_extents e ON e.row = x.pkid
    """
  /// The places `l` with such an extent. It is the extent of one place, and of the next one if that is at the
  /// same point in the same item. A place may come several times.
  static let places = """
    \(extents) CROSS JOIN \(placesOfExtent)
    """
  /// The places `l` of the extents `e`. A join with the first place would also look for it when `l` is that
  /// place.
  static let placesOfExtent = """
    structured_locations l ON l.row BETWEEN e.location AND e.location + 1 AND (
      l.row = e.location OR EXISTS (
        SELECT 1 FROM structured_locations p
        WHERE p.row = e.location AND p.item = l.item
          AND p.latitude = l.latitude AND p.longitude = l.longitude))
    """
  static let condition = "x.xmax >= ? AND x.xmin <= ? AND x.ymax >= ? AND x.ymin <= ?"
}

private enum Queries {
  static let near = SQL(
    """
    SELECT l.row, l.item, a.position, \(PlaceColumns.names.map { "l." + $0 }.joined(separator: ", "))
    FROM \(SpatialIndex.places)
    CROSS JOIN items i ON i.row = l.item
    LEFT JOIN alarms a ON a.row = l.alarm
    WHERE \(SpatialIndex.condition) AND (? OR NOT i.is_silenced) AND \(BulkChange.excludes("i.row"))
    """)
}
