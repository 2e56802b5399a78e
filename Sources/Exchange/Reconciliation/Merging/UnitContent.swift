import FencepostCalendarModel
import FencepostICalendar

/// The content of a component in one ``PropertyUnit``.
struct UnitContent {
  var lines: [String] = []
  var components: [ComponentTree] = []

  /// Equal for contents with the same meaning.
  var meaning: [String] {
    let parts = lines.flatMap { line -> [String] in
      guard let property = PreservedProperty(line) else { return [line] }
      return property.elements ?? [property.canonical]
    }
    return parts.sorted() + components.map { $0.meaning.joined(separator: "\n") }.sorted()
  }

  /// Its values, each as a line with a key that both sides share.
  var elements: Elements {
    var elements = Elements()
    for line in lines {
      guard let property = PreservedProperty(line) else { continue }
      if let parts = property.elements {
        for part in parts { elements.add(part, for: part) }
      } else {
        let isPerson = property.name == "ATTENDEE"
        elements.add(line, for: isPerson ? property.value.lowercased() : property.canonical)
      }
    }
    return elements
  }

  /// The time or number of a stamp, for comparison.
  var stamp: String {
    let values = lines.compactMap { PreservedProperty($0)?.value }
    // Numbers compare by value, dates by their text.
    return values.map { String(repeating: "0", count: max(0, 20 - $0.utf8.count)) + $0 }.max() ?? ""
  }

  /// True if it marks a reminder as completed.
  var isCompleted: Bool {
    let properties = lines.compactMap(PreservedProperty.init)
    if let status = properties.first(where: { $0.name == "STATUS" }) {
      return status.value.uppercased() == "COMPLETED"
    }
    return properties.contains { $0.name == "COMPLETED" }
  }
}

/// The values of a property in their order, by their keys.
struct Elements {
  private(set) var entries: [(key: String, line: String)] = []
  private var byKey: [String: String] = [:]

  mutating func add(_ line: String, for key: String) {
    var key = key
    // Several with the same key get keys by their order.
    while byKey[key] != nil { key += "+" }
    byKey[key] = line
    entries.append((key, line))
  }

  subscript(key: String) -> String? { byKey[key] }
}

/// The properties of a component, by units.
struct Units {
  /// All lines in order, each with its unit.
  private(set) var lines: [(line: String, unit: PropertyUnit)] = []
  /// The units in the order of their first lines.
  private(set) var order: [PropertyUnit] = []
  private var contents: [PropertyUnit: UnitContent] = [:]

  init() {}

  init(_ component: ComponentTree) {
    for line in component.lines {
      let name = line.prefix { $0 != ":" && $0 != ";" }.uppercased()
      let unit = PropertyUnit(name, in: component.name)
      lines.append((line, unit))
      add(unit)
      contents[unit]?.lines.append(line)
    }
    for child in component.components where PropertyUnit.isPlace(child) {
      add(.place)
      contents[.place]?.components.append(child)
    }
  }

  private mutating func add(_ unit: PropertyUnit) {
    guard contents[unit] == nil else { return }
    contents[unit] = UnitContent()
    order.append(unit)
  }

  subscript(unit: PropertyUnit) -> UnitContent { contents[unit] ?? UnitContent() }
}

/// Properties that only make sense together. A merge takes all of them from one side: a start from one side
/// and an end from the other could be in the wrong order.
enum PropertyUnit: Hashable {
  /// Start, end and due time.
  case times
  /// The completion of a reminder, or the status of an event.
  case state
  /// The place of an item, or the place and options of a proximity alarm.
  case place
  /// How an alarm repeats.
  case repetition
  /// Any other property by itself.
  case single(String)

  /// The unit of a property within a component. Names are in upper case.
  init(_ property: String, in component: String) {
    switch property {
    case "REPEAT": self = .repetition
    case "DURATION" where component == "VALARM": self = .repetition
    case "DTSTART", "DTEND", "DUE", "DURATION": self = .times
    case "STATUS", "COMPLETED", "PERCENT-COMPLETE": self = .state
    case "LOCATION", "GEO", "PROXIMITY", "STRUCTURED-LOCATION", "X-APPLE-PROXIMITY",
      "X-APPLE-STRUCTURED-LOCATION", "X-LOCATION-RADIUS", "X-GEOFENCE-RADIUS":
      self = .place
    case _ where property.hasPrefix("X-FENCEPOST-") && component == "VALARM": self = .place
    case "X-FENCEPOST-OUTLINE": self = .place
    default: self = .single(property)
    }
  }

  /// True for components that belong to the place.
  static func isPlace(_ component: ComponentTree) -> Bool { component.name == "VLOCATION" }

  /// Properties that an item can have several times.
  static let plural: Set<String> = [
    "ATTACH", "ATTENDEE", "CATEGORIES", "COMMENT", "CONFERENCE", "CONTACT", "EXDATE", "IMAGE", "RDATE",
    "RELATED-TO", "RESOURCES",
  ]

  /// The dates of a series: they depend on its start.
  static let dates: Set<PropertyUnit> = [.single("RRULE"), .single("RDATE"), .single("EXDATE")]

  /// Properties that only record a time or version. They are never a change, and the later one wins.
  static let stamps: Set<String> = [
    "ACKNOWLEDGED", "CREATED", "DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "X-MOZ-GENERATION", "X-MOZ-LASTACK",
  ]

  /// The stamps that a program may update even if nothing changed.
  static let idleStamps: Set<String> = ["CREATED", "DTSTAMP", "LAST-MODIFIED", "PRODID", "SEQUENCE"]

  /// The property that people know it by.
  var name: String {
    switch self {
    case .times: "DTSTART/DTEND/DUE"
    case .state: "STATUS"
    case .place: "LOCATION"
    case .repetition: "REPEAT"
    case .single(let name): name
    }
  }
}
