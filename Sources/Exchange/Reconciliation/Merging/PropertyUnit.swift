import FencepostICalendar

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
