public import FencepostCalendarModel
import FencepostGeodesy
public import FoundationEssentials

/// The waypoints that OwnTracks exports (`.otrw`), as reminders at their places.
///
/// OwnTracks notifies when a waypoint is entered and when it is left, so each becomes a reminder with both
/// alarms. Examples in its documentation quote numbers, so both forms are read.
public struct OwnTracksWaypoints {
  /// One reminder for each waypoint with a place and a radius. Its calendar is empty: the caller chooses one.
  public let items: [CalendarItem]
  /// The number of waypoints without a place or a radius: beacons, and markers on a map.
  public let skipped: Int

  /// Parses a file; `nil` if it is not an export of waypoints.
  public init?(_ data: Data) {
    guard let export = try? JSONDecoder().decode(Export.self, from: data) else { return nil }
    var items: [CalendarItem] = []
    for waypoint in export.waypoints {
      let coordinate = Coordinate(latitude: waypoint.latitude ?? .nan, longitude: waypoint.longitude ?? .nan)
      guard coordinate.isValid, let radius = waypoint.radius, radius > 0 else { continue }
      let place = StructuredLocation(title: waypoint.name, coordinate: coordinate, radius: radius)
      let id = WaypointKey.itemPrefix + waypoint.key
      var item = CalendarItem(
        id: .init(rawValue: id), calendar: .init(rawValue: ""), title: waypoint.name,
        details: .reminder(ReminderDetails()))
      item.structuredLocation = place
      item.lastModified = waypoint.made
      item.alarms = [
        Alarm(id: .init(rawValue: id + "#enter"), proximity: ProximityTrigger(.enter, at: place)),
        Alarm(id: .init(rawValue: id + "#leave"), proximity: ProximityTrigger(.leave, at: place)),
      ]
      items.append(item)
    }
    self.items = items
    skipped = export.waypoints.count - items.count
  }

  private struct Export: Decodable {
    var waypoints: [Waypoint]

    enum CodingKeys: String, CodingKey { case type = "_type", waypoints }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      if try container.decode(String.self, forKey: .type) == "waypoint" {
        waypoints = [try Waypoint(from: decoder)]
      } else {
        waypoints = try container.decode([Waypoint].self, forKey: .waypoints)
      }
    }
  }

  private struct Waypoint: Decodable {
    var name: String
    var latitude: Double?
    var longitude: Double?
    var radius: Double?
    /// The time of its creation; `tst`.
    var made: Instant?
    /// Its identity: `rid`, otherwise the time of its creation, otherwise its name.
    var key: String

    enum CodingKeys: String, CodingKey { case desc, lat, lon, rad, rid, tst }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decodeIfPresent(String.self, forKey: .desc) ?? "Waypoint"
      func number(_ key: CodingKeys) -> Double? {
        if let number = try? container.decodeIfPresent(Double.self, forKey: key) { return number }
        return (try? container.decodeIfPresent(String.self, forKey: key)).flatMap { Double($0) }
      }
      latitude = number(.lat)
      longitude = number(.lon)
      radius = number(.rad)
      let stamp = number(.tst).flatMap { $0.isFinite && abs($0) < 1e15 ? Int64($0) : nil }
      made = stamp.map { Instant(seconds: $0) }
      key = (try? container.decodeIfPresent(String.self, forKey: .rid)) ?? stamp.map(String.init) ?? name
    }
  }
}
