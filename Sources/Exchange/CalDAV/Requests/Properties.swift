public import FencepostXML

/// The properties of resources that a request asks for.
public struct PropertyRequest: Hashable, Sendable {
  /// A selection of properties.
  public enum Selection: Hashable, Sendable {
    /// All common ones, and these.
    case all(including: [XMLName])
    /// The names of all properties, without values.
    case names
    /// These.
    case listed([XMLName])
  }

  /// The requested properties.
  public var selection: Selection
  /// The requested parts of a calendar object, if `calendar-data` is requested.
  public var calendarData: CalendarDataRequest

  /// A request for properties.
  public init(_ selection: Selection, calendarData: CalendarDataRequest = CalendarDataRequest()) {
    self.selection = selection
    self.calendarData = calendarData
  }

  /// A request for these properties.
  public static func listed(_ names: [XMLName]) -> PropertyRequest { PropertyRequest(.listed(names)) }

  /// Reads the body of PROPFIND. An empty body asks for all (RFC 4918, section 9.1).
  ///
  /// - Throws: ``CalDAVSyntaxError`` if it is not XML, or requests nothing.
  public init(propfind bytes: [UInt8]) throws(CalDAVSyntaxError) {
    guard !bytes.isEmpty else {
      self.init(.all(including: []))
      return
    }
    let root = try XMLElement(parsing: bytes)
    guard root.name == .dav("propfind") else {
      throw CalDAVSyntaxError("expected DAV:propfind, but the body is \(root.name)")
    }
    guard let request = PropertyRequest(in: root) else {
      throw CalDAVSyntaxError("DAV:propfind needs one of DAV:prop, DAV:allprop and DAV:propname")
    }
    self = request
  }

  /// The body of PROPFIND.
  public var propfind: [UInt8] { XMLElement(.dav("propfind"), elements).document }

  /// What an element of a request contains: `prop`, `allprop` or `propname`; `nil` for none or several.
  init?(in element: XMLElement) {
    let kinds = element.elements.filter {
      [.dav("prop"), .dav("allprop"), .dav("propname")].contains($0.name)
    }
    guard kinds.count == 1 else { return nil }
    switch kinds[0].name.local {
    case "prop":
      let properties = kinds[0].elements
      self.init(.listed(properties.map(\.name)))
      if let data = properties.first(where: { $0.name == .caldav("calendar-data") }) {
        calendarData = CalendarDataRequest(data)
      }
    case "allprop":
      self.init(.all(including: element.first(.dav("include"))?.elements.map(\.name) ?? []))
    default: self.init(.names)
    }
  }

  /// The elements for a request.
  var elements: [XMLElement] {
    switch selection {
    case .names: [XMLElement(.dav("propname"))]
    case .all(let more):
      [XMLElement(.dav("allprop"))]
        + (more.isEmpty ? [] : [XMLElement(.dav("include"), more.map { XMLElement($0) })])
    case .listed(let names):
      [
        XMLElement(
          .dav("prop"), names.map { $0 == .caldav("calendar-data") ? calendarData.xml : XMLElement($0) })
      ]
    }
  }
}

/// The body of PROPPATCH: changes of properties, in their order (RFC 4918, section 9.2).
public struct PropertyUpdate: Hashable, Sendable {
  /// One change.
  public enum Change: Hashable, Sendable {
    /// Sets a property.
    case set(XMLElement)
    /// Removes a property.
    case remove(XMLName)

    /// The property.
    public var name: XMLName {
      switch self {
      case .set(let property): property.name
      case .remove(let name): name
      }
    }
  }

  /// The changes.
  public var changes: [Change]

  /// Changes in their order.
  public init(_ changes: [Change]) { self.changes = changes }

  /// Reads the body of PROPPATCH.
  ///
  /// - Throws: ``CalDAVSyntaxError`` if it is not XML, or changes nothing.
  public init(parsing bytes: [UInt8]) throws(CalDAVSyntaxError) {
    let root = try XMLElement(parsing: bytes)
    guard root.name == .dav("propertyupdate") else {
      throw CalDAVSyntaxError("expected DAV:propertyupdate, but the body is \(root.name)")
    }
    changes = root.elements.flatMap { element -> [Change] in
      switch element.name {
      case .dav("set"): element.settings(language: root.language).map(Change.set)
      case .dav("remove"): element.all(.dav("prop")).flatMap(\.elements).map { .remove($0.name) }
      default: []
      }
    }
    guard !changes.isEmpty else { throw CalDAVSyntaxError("DAV:propertyupdate changes no property") }
  }

  /// The body of PROPPATCH.
  public var document: [UInt8] {
    let parts = changes.map { change in
      switch change {
      case .set(let property): XMLElement(.dav("set"), [XMLElement(.dav("prop"), [property])])
      case .remove(let name): XMLElement(.dav("remove"), [XMLElement(.dav("prop"), [XMLElement(name)])])
      }
    }
    return XMLElement(.dav("propertyupdate"), parts).document
  }
}

extension XMLElement {
  /// Its language.
  fileprivate var language: String? { attributes[.xmlLanguage] }

  /// The properties that a `DAV:set` sets. They inherit the language of an outer element (RFC 4918, section
  /// 4.3).
  func settings(language outer: String? = nil) -> [XMLElement] {
    all(.dav("prop")).flatMap { prop in
      prop.elements.map { property in
        var property = property
        property.attributes[.xmlLanguage] = property.language ?? prop.language ?? language ?? outer
        return property
      }
    }
  }
}

extension XMLName {
  fileprivate static let xmlLanguage = XMLName(namespace: XMLName.xmlNamespace, "lang")
}

/// The body of MKCALENDAR (RFC 4791, section 5.3.1) or of the extended MKCOL (RFC 5689): the properties of a
/// new collection.
public struct CollectionCreation: Hashable, Sendable {
  /// The method.
  public enum Method: String, Hashable, Sendable {
    /// Creates a calendar.
    case mkcalendar = "MKCALENDAR"
    /// Creates a collection of the type that the properties name.
    case mkcol = "MKCOL"
  }

  /// The method.
  public var method: Method
  /// The properties that it sets.
  public var properties: [XMLElement]

  /// A new collection.
  public init(_ method: Method, properties: [XMLElement]) {
    self.method = method
    self.properties = properties
  }

  /// Reads the body of a request. It can be empty.
  ///
  /// - Throws: ``CalDAVSyntaxError`` if it is not XML, or is for another method.
  public init(_ method: Method, parsing bytes: [UInt8]) throws(CalDAVSyntaxError) {
    self.method = method
    properties = []
    guard !bytes.isEmpty else { return }
    let root = try XMLElement(parsing: bytes)
    guard root.name == Self.rootName(of: method) else {
      throw CalDAVSyntaxError("expected \(Self.rootName(of: method)), but the body is \(root.name)")
    }
    properties = root.all(.dav("set")).flatMap { $0.settings() }
  }

  /// The body of the request.
  public var document: [UInt8] {
    XMLElement(
      Self.rootName(of: method), [XMLElement(.dav("set"), [XMLElement(.dav("prop"), properties)])]
    ).document
  }

  /// Whether it requests a calendar.
  public var makesCalendar: Bool {
    method == .mkcalendar
      || properties.contains { $0.name == .dav("resourcetype") && $0.has(.caldav("calendar")) }
  }

  private static func rootName(of method: Method) -> XMLName {
    method == .mkcalendar ? .caldav("mkcalendar") : .dav("mkcol")
  }
}
