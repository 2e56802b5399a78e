import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostICalendar
import FencepostJSON

/// The rows of a database as reminders with alarms at places.
///
/// The same row always becomes the same reminder, so that partitions see which fences have changed.
struct FenceRows {
  /// A reminder for each row that is a fence. Its identifier is the row's.
  private(set) var items: [CalendarItem] = []
  /// What is wrong with the other rows, a line for each.
  private(set) var problems: [String] = []

  /// The list of all.
  private static let list = ItemCalendar(
    id: Identifier(rawValue: "postgresql"), source: Identifier(rawValue: "postgresql"), title: "PostgreSQL",
    entities: .reminders)

  /// Reads rows.
  ///
  /// - Parameter rows: Of each, its id, name, shape (GeoJSON in degrees), radius in metres, and event.
  init(rows: [[String?]]) {
    var known: Set<String> = []
    for row in rows where row.count == 5 {
      guard let id = row[0], !id.isEmpty else {
        problems.append("a fence without an id")
        continue
      }
      guard known.insert(id).inserted else {
        problems.append("fence '\(id)': another one has the same id")
        continue
      }
      do throws(Problem) {
        items.append(try Self.item(id, name: row[1], shape: row[2], radius: row[3], event: row[4]))
      } catch {
        problems.append("fence '\(id)': \(error.text)")
      }
    }
  }

  /// A store with the reminders, in memory.
  func store() throws -> CalendarStore {
    let store = try CalendarStore()
    try store.write { writer in
      try writer.save(Source(id: Self.list.source, title: Self.list.title))
      try writer.save(Self.list)
      try writer.saveAll(items)
    }
    return store
  }

  /// What is wrong with a row.
  private struct Problem: Error {
    let text: String
  }

  private static func item(
    _ id: String, name: String?, shape: String?, radius: String?, event: String?
  ) throws(Problem) -> CalendarItem {
    let name = name.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil } ?? id
    let place = try self.place(name, shape: shape, radius: radius)
    let events: [(ProximityTrigger.Event, String)]
    switch event?.lowercased() {
    case nil, "", "both": events = [(.enter, "#enter"), (.leave, "#leave")]
    case "enter": events = [(.enter, "#enter")]
    case "leave": events = [(.leave, "#leave")]
    default: throw Problem(text: "unknown event '\(event ?? "")'; use enter, leave or both")
    }
    var item = CalendarItem(
      id: Identifier(rawValue: id), calendar: list.id, title: name, details: .reminder(ReminderDetails()))
    item.structuredLocation = place
    item.alarms = events.map { event, suffix in
      Alarm(id: Identifier(rawValue: id + suffix), proximity: ProximityTrigger(event, at: place))
    }
    return item
  }

  private static func place(
    _ name: String, shape: String?, radius: String?
  ) throws(Problem) -> StructuredLocation {
    guard let shape, let json = try? JSONValue(reading: Array(shape.utf8), maxDepth: 64) else {
      throw Problem(text: "it has no shape")
    }
    switch json["type"]?.text {
    case "Point":
      let numbers = json["coordinates"]?.list?.prefix(2).compactMap(\.number) ?? []
      guard numbers.count == 2 else { throw Problem(text: "the point is empty") }
      let point = Coordinate(latitude: numbers[1], longitude: numbers[0])
      guard point.isValid else { throw notOnEarth }
      var place = StructuredLocation(title: name, coordinate: point)
      if let radius {
        guard let metres = Double(radius), metres > 0, metres <= 1_000_000 else {
          throw Problem(text: "the radius \(radius) is not from 0 to 1,000,000 metres")
        }
        place.radius = metres
      }
      return place
    case "Polygon", "MultiPolygon":
      guard json["coordinates"]?.list?.isEmpty == false else { throw Problem(text: "the polygon is empty") }
      let outline = Outline.read(shape)
      guard let first = outline.first?.exterior.first else { throw notOnEarth }
      return StructuredLocation(title: name, coordinate: first, outline: outline)
    case let type:
      throw Problem(text: "a fence is a Point, a Polygon or a MultiPolygon, not \(type ?? "this")")
    }
  }

  private static let notOnEarth = Problem(
    text: "it is not on Earth; set the SRID of coordinates that are not degrees")
}
