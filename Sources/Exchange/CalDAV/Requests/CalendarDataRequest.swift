import FencepostXML

/// The parts of a calendar object that a report requests (RFC 4791, section 9.6).
public struct CalendarDataRequest: Hashable, Sendable {
  /// A component and its requested parts.
  public struct Component: Hashable, Sendable {
    /// Its name, for example `VTODO`.
    public var name: String
    /// The names of properties; `nil` for all.
    public var properties: [String]?
    /// The components inside it; `nil` for all.
    public var components: [Component]?

    /// A component.
    public init(_ name: String, properties: [String]?, components: [Component]?) {
      self.name = name
      self.properties = properties
      self.components = components
    }
  }

  /// How a recurring item is returned.
  public enum Recurrences: Hashable, Sendable {
    /// Each occurrence in a range as a separate item, in UTC.
    case expanded(TimeRange)
    /// The master, and only those detached occurrences that are in a range or were moved out of it.
    case limited(TimeRange)
  }

  /// The requested parts; `nil` for all.
  public var component: Component?
  /// How recurring items are returned; `nil` for as they are stored.
  public var recurrences: Recurrences?
  /// False if another type or version than iCalendar 2.0 is requested.
  public private(set) var isOfKnownType = true

  /// By default the whole object.
  public init(component: Component? = nil, recurrences: Recurrences? = nil) {
    self.component = component
    self.recurrences = recurrences
  }

  /// A range that can't be read is ignored, because a client can use more than it requested.
  init(_ element: XMLElement) {
    component = element.first(.caldav("comp")).map(Component.init)
    isOfKnownType =
      element.attribute("content-type") ?? "text/calendar" == "text/calendar"
      && element.attribute("version") ?? "2.0" == "2.0"
    if let range = element.first(.caldav("expand")).flatMap({ try? TimeRange($0) }) {
      recurrences = .expanded(range)
    } else if let range = element.first(.caldav("limit-recurrence-set")).flatMap({ try? TimeRange($0) }) {
      recurrences = .limited(range)
    }
  }

  var xml: XMLElement {
    var parts = component.map { [$0.xml] } ?? []
    switch recurrences {
    case .expanded(let range): parts.append(range.xml(.caldav("expand")))
    case .limited(let range): parts.append(range.xml(.caldav("limit-recurrence-set")))
    case nil: break
    }
    return XMLElement(.caldav("calendar-data"), parts)
  }
}

extension CalendarDataRequest.Component {
  fileprivate init(_ element: XMLElement) {
    name = element.attribute("name") ?? ""
    properties =
      element.has(.caldav("allprop"))
      ? nil : element.all(.caldav("prop")).compactMap { $0.attribute("name")?.uppercased() }
    components =
      element.has(.caldav("allcomp")) ? nil : element.all(.caldav("comp")).map(Self.init)
  }

  fileprivate var xml: XMLElement {
    let properties =
      properties.map { $0.map { XMLElement(.caldav("prop"), attributes: [XMLName("name"): $0]) } }
      ?? [XMLElement(.caldav("allprop"))]
    let components = components.map { $0.map(\.xml) } ?? [XMLElement(.caldav("allcomp"))]
    return XMLElement(.caldav("comp"), attributes: [XMLName("name"): name], properties + components)
  }
}
