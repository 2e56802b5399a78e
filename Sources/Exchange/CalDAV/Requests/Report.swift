public import FencepostXML

/// The body of REPORT.
public enum Report: Hashable, Sendable {
  /// The changes of a collection (RFC 6578).
  case syncCollection(SyncCollection)
  /// Some objects of a calendar, by their addresses (RFC 4791, section 7.9).
  case multiget(CalendarMultiget)
  /// The objects of a calendar that match a condition (RFC 4791, section 7.8).
  case query(CalendarQuery)
  /// The busy times of a calendar's owner (RFC 4791, section 7.10).
  case freeBusy(TimeRange)
  /// Properties of resources, and of those that they refer to (RFC 3253, section 3.8).
  case expandProperty([ExpandedProperty])
  /// An unknown report.
  case other(XMLElement)

  /// The properties that it requests of objects; `nil` if it is about others.
  public var properties: PropertyRequest? {
    switch self {
    case .syncCollection(let report): report.properties
    case .multiget(let report): report.properties
    case .query(let report): report.properties
    case .freeBusy, .expandProperty, .other: nil
    }
  }

  /// Reads the body of a request.
  ///
  /// - Throws: ``CalDAVSyntaxError`` if it is not XML, or a report lacks something required.
  public init(parsing bytes: [UInt8]) throws(CalDAVSyntaxError) {
    let root = try XMLElement(parsing: bytes)
    switch root.name {
    case .dav("sync-collection"): self = .syncCollection(try SyncCollection(root))
    case .caldav("calendar-multiget"): self = .multiget(CalendarMultiget(root))
    case .caldav("calendar-query"): self = .query(try CalendarQuery(root))
    case .caldav("free-busy-query"):
      guard let range = root.first(.caldav("time-range")) else {
        throw CalDAVSyntaxError("free-busy-query needs a time-range")
      }
      self = .freeBusy(try TimeRange(range))
    case .dav("expand-property"):
      self = .expandProperty(root.all(.dav("property")).compactMap(ExpandedProperty.init))
    default: self = .other(root)
    }
  }

  /// The body of the request.
  public var document: [UInt8] {
    switch self {
    case .syncCollection(let report): report.xml.document
    case .multiget(let report): report.xml.document
    case .query(let report): report.xml.document
    case .freeBusy(let range):
      XMLElement(.caldav("free-busy-query"), [range.xml(.caldav("time-range"))]).document
    case .expandProperty(let properties):
      XMLElement(.dav("expand-property"), properties.map(\.xml)).document
    case .other(let root): root.document
    }
  }
}

/// The changes of a collection since a token (RFC 6578, section 3.2).
public struct SyncCollection: Hashable, Sendable {
  /// The token of the last answer; empty for the first time.
  public var token: String
  /// The most responses; `nil` for no limit.
  public var limit: Int?
  /// The requested properties of changed members.
  public var properties: PropertyRequest
  /// Whether to include members of nested collections.
  public var isDeep: Bool

  /// Requests the changes among the members of a collection.
  public init(token: String, limit: Int? = nil, properties: PropertyRequest) {
    self.token = token
    self.limit = limit
    self.properties = properties
    isDeep = false
  }

  init(_ element: XMLElement) throws(CalDAVSyntaxError) {
    token = element.first(.dav("sync-token"))?.trimmedText ?? ""
    isDeep = element.first(.dav("sync-level"))?.trimmedText == "infinite"
    properties = PropertyRequest(in: element) ?? .listed([])
    if let limit = element.first(.dav("limit"))?.first(.dav("nresults")) {
      guard let number = Int(limit.trimmedText), number > 0 else {
        throw CalDAVSyntaxError("DAV:nresults must be a number above 0")
      }
      self.limit = number
    }
  }

  var xml: XMLElement {
    var parts = [
      XMLElement(.dav("sync-token"), text: token),
      XMLElement(.dav("sync-level"), text: isDeep ? "infinite" : "1"),
    ]
    if let limit {
      parts.append(XMLElement(.dav("limit"), [XMLElement(.dav("nresults"), text: "\(limit)")]))
    }
    return XMLElement(.dav("sync-collection"), parts + properties.elements)
  }
}

/// Some objects of a calendar (RFC 4791, section 9.10).
public struct CalendarMultiget: Hashable, Sendable {
  /// Their addresses.
  public var hrefs: [String]
  /// The requested properties.
  public var properties: PropertyRequest

  /// Objects by their addresses.
  public init(_ hrefs: [String], properties: PropertyRequest) {
    self.hrefs = hrefs
    self.properties = properties
  }

  init(_ element: XMLElement) {
    hrefs = element.hrefs
    properties = PropertyRequest(in: element) ?? .listed([])
  }

  var xml: XMLElement {
    XMLElement(
      .caldav("calendar-multiget"), properties.elements + hrefs.map { XMLElement(.dav("href"), text: $0) })
  }
}

/// The objects of a calendar that match a condition (RFC 4791, section 9.5).
public struct CalendarQuery: Hashable, Sendable {
  /// The condition on `VCALENDAR`.
  public var filter: ComponentFilter
  /// The requested properties.
  public var properties: PropertyRequest
  /// The zone of floating times, as a VCALENDAR with a VTIMEZONE.
  public var timeZone: String?
  /// The most responses (RFC 5323, section 5.17); `nil` for no limit.
  public var limit: Int?

  /// Requests objects that match a condition.
  public init(_ filter: ComponentFilter, properties: PropertyRequest) {
    self.filter = filter
    self.properties = properties
  }

  init(_ element: XMLElement) throws(CalDAVSyntaxError) {
    do throws(CalDAVSyntaxError) {
      filter = try Self.filter(of: element)
    } catch {
      throw CalDAVSyntaxError(error.description, condition: .caldav("valid-filter"))
    }
    properties = PropertyRequest(in: element) ?? .listed([])
    timeZone = element.first(.caldav("timezone"))?.text
    limit = element.first(.dav("limit"))?.first(.dav("nresults")).flatMap { Int($0.trimmedText) }
  }

  private static func filter(of element: XMLElement) throws(CalDAVSyntaxError) -> ComponentFilter {
    guard let filters = element.first(.caldav("filter")),
      filters.all(.caldav("comp-filter")).count == 1, let root = filters.first(.caldav("comp-filter"))
    else { throw CalDAVSyntaxError("calendar-query needs a filter with one comp-filter") }
    let filter = try ComponentFilter(root)
    guard filter.name == "VCALENDAR" else {
      throw CalDAVSyntaxError("the outermost comp-filter is for VCALENDAR, not \(filter.name.prefix(40))")
    }
    return filter
  }

  var xml: XMLElement {
    var parts = properties.elements + [XMLElement(.caldav("filter"), [filter.xml])]
    if let timeZone { parts.append(XMLElement(.caldav("timezone"), text: timeZone)) }
    if let limit {
      parts.append(XMLElement(.dav("limit"), [XMLElement(.dav("nresults"), text: "\(limit)")]))
    }
    return XMLElement(.caldav("calendar-query"), parts)
  }
}

/// A property, and properties of the resources that its addresses name (RFC 3253, section 3.8).
public struct ExpandedProperty: Hashable, Sendable {
  /// The property.
  public var name: XMLName
  /// The requested properties of the resources that it refers to; empty for only the property itself.
  public var properties: [ExpandedProperty]

  /// A property to expand.
  public init(_ name: XMLName, _ properties: [ExpandedProperty] = []) {
    self.name = name
    self.properties = properties
  }

  init?(_ element: XMLElement) {
    guard let local = element.attribute("name"), !local.isEmpty else { return nil }
    name = XMLName(namespace: element.attribute("namespace") ?? XMLNamespace.dav, local)
    properties = element.all(.dav("property")).compactMap(Self.init)
  }

  var xml: XMLElement {
    XMLElement(
      .dav("property"), attributes: [XMLName("name"): name.local, XMLName("namespace"): name.namespace],
      properties.map(\.xml))
  }
}
