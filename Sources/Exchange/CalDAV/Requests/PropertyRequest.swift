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
