import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostWebServer
import FencepostXML

/// The values of properties.
extension DAVRequest {
  /// The value of a property of a resource; `nil` if it does not have the property.
  ///
  /// - Parameter object: The object, if the resource is one.
  func property(
    _ name: XMLName, of resource: Resource, _ object: StoredObject? = nil,
    dead: [CalendarProperty] = [], in reader: borrowing StoreReader
  ) throws -> XMLElement? {
    switch name {
    case .dav("resourcetype"): XMLElement(name, types(of: resource).map { XMLElement($0) })
    case .dav("current-user-principal"): .href(principalHref, in: name)
    case .dav("principal-collection-set"):
      .href(Href.path(["dav", "principals"], isCollection: true), in: name)
    case .dav("current-user-privilege-set"): privileges(on: resource)
    case .dav("supported-report-set"): reports(of: resource)
    case .dav("supportedlock"), .dav("lockdiscovery"): XMLElement(name)
    default:
      switch resource {
      case .top, .root, .principals, .homes: nil
      case .principal: try principalProperty(name) ?? property(name, among: dead)
      case .home: try homeProperty(name) ?? property(name, among: dead)
      case .list(let list):
        try color(name, list, among: dead) ?? listProperty(name, list, in: reader)
          ?? property(name, among: dead) ?? timeZone(name, among: dead)
      case .object: try object.flatMap { objectProperty(name, $0) } ?? property(name, among: dead)
      }
    }
  }

  private func types(of resource: Resource) -> [XMLName] {
    switch resource {
    case .object: []
    case .list: [.dav("collection"), .caldav("calendar")]
    case .principal: [.dav("collection"), .dav("principal")]
    default: [.dav("collection")]
    }
  }

  private func privileges(on resource: Resource) -> XMLElement {
    var names: [XMLName] = [.dav("read"), .dav("read-current-user-privilege-set")]
    let mayWrite =
      switch resource {
      case .list(let list), .object(let list, _): canWrite(list)
      case .home: canWrite && isOfWholeAccount
      default: false
      }
    if case .list = resource { names.append(.caldav("read-free-busy")) }
    if mayWrite { names += ["write-content", "bind", "unbind"].map { .dav($0) } }
    if mayChangeProperties(of: resource) {
      names.append(.dav("write-properties"))
      // It contains all of them (RFC 3744, section 3.2).
      if mayWrite { names.append(.dav("write")) }
    }
    return XMLElement(
      .dav("current-user-privilege-set"), names.map { XMLElement(.dav("privilege"), [XMLElement($0)]) })
  }

  private func reports(of resource: Resource) -> XMLElement {
    let names: [XMLName] =
      switch resource {
      case .list:
        [
          .dav("sync-collection"), .caldav("calendar-multiget"), .caldav("calendar-query"),
          .caldav("free-busy-query"), .dav("expand-property"),
        ]
      case .home: [.caldav("calendar-multiget"), .dav("expand-property")]
      case .object: [.caldav("calendar-multiget")]
      default:
        [.dav("expand-property"), .dav("principal-property-search"), .dav("principal-search-property-set")]
      }
    return XMLElement(
      .dav("supported-report-set"),
      names.map {
        XMLElement(.dav("supported-report"), [XMLElement(.dav("report"), [XMLElement($0)])])
      })
  }

  private func principalProperty(_ name: XMLName) -> XMLElement? {
    switch name {
    case .dav("displayname"): XMLElement(name, text: principal.name)
    case .dav("principal-URL"), .dav("owner"): .href(principalHref, in: name)
    case .dav("alternate-URI-set"), .dav("group-membership"): XMLElement(name)
    case .caldav("calendar-home-set"): .href(homeHref, in: name)
    case .caldav("calendar-user-address-set"): .href(principalHref, in: name)
    case .caldav("calendar-user-type"): XMLElement(name, text: "INDIVIDUAL")
    default: nil
    }
  }

  private func homeProperty(_ name: XMLName) -> XMLElement? {
    switch name {
    case .dav("displayname"): XMLElement(name, text: "Fencepost")
    case .dav("owner"): .href(principalHref, in: name)
    // Some clients ask the home for it, or treat the home as the principal.
    case .caldav("calendar-home-set"): .href(homeHref, in: name)
    default: nil
    }
  }

  private func listProperty(
    _ name: XMLName, _ list: ItemCalendar, in reader: borrowing StoreReader
  ) throws -> XMLElement? {
    switch name {
    case .dav("displayname"): return XMLElement(name, text: list.title)
    case .dav("owner"): return .href(principalHref, in: name)
    case .dav("sync-token"):
      let change = try server.listings.lastChange(of: list.id, in: reader)
      return XMLElement(name, text: SyncToken(change: change).text)
    case .calendarServer("getctag"):
      return XMLElement(name, text: "\(try server.listings.lastChange(of: list.id, in: reader))")
    // Of the list that this one is a copy of: so stores that follow each other know their own lists.
    case .fencepost("origin"):
      return XMLElement(name, text: try reader.syncedCalendar(of: list.id)?.origin ?? list.id.rawValue)
    case .push("transports"), .push("topic"), .push("supported-triggers"):
      return server.pushIdentity?.property(name, of: list)
    case .apple("calendar-color"):
      return XMLElement(name, text: (list.color ?? Self.usualColor).hexadecimal)
    case .caldav("supported-calendar-component-set"):
      let components =
        (list.entities.contains(.events) ? ["VEVENT"] : [])
        + (list.entities.contains(.reminders) ? ["VTODO"] : [])
      return XMLElement(
        name, components.map { XMLElement(.caldav("comp"), attributes: [XMLName("name"): $0]) })
    case .caldav("supported-calendar-data"):
      let type = [XMLName("content-type"): "text/calendar", XMLName("version"): "2.0"]
      return XMLElement(name, [XMLElement(.caldav("calendar-data"), attributes: type)])
    case .caldav("supported-collation-set"):
      return XMLElement(
        name, TextMatch.collations.map { XMLElement(.caldav("supported-collation"), text: $0) })
    case .caldav("max-resource-size"): return XMLElement(name, text: "\(server.gate.bodyLimit)")
    default: return nil
    }
  }

  private func objectProperty(_ name: XMLName, _ object: StoredObject) -> XMLElement? {
    switch name {
    case .dav("getetag"): XMLElement(name, text: object.etag)
    case .dav("getcontenttype"): .contentType(isEvent: object.isEvent)
    case .dav("getcontentlength"): XMLElement(name, text: "\(object.text.count)")
    case .dav("displayname"): XMLElement(name, text: object.items.first?.title ?? "")
    case .dav("owner"): .href(principalHref, in: name)
    case .dav("getlastmodified"):
      (object.items.compactMap(\.lastModified).max()).map {
        XMLElement(name, text: HTTPDate.text($0))
      }
    case .dav("creationdate"):
      object.items.first?.created.map { XMLElement(name, text: $0.rfc3339()) }
    default: nil
    }
  }

  /// The colour in the client's form, while it is current: Apple's clients add an attribute and the opacity.
  private func color(
    _ name: XMLName, _ list: ItemCalendar, among dead: [CalendarProperty]
  ) throws -> XMLElement? {
    guard name == .apple("calendar-color"), let kept = try property(name, among: dead),
      Color(hexadecimal: kept.trimmedText) == list.color
    else { return nil }
    return kept
  }

  /// The colour of a list that has none. Some clients show such a list in black, or not at all.
  private static let usualColor = Color(red: 0.11, green: 0.68, blue: 0.97)

  /// The name of the zone that a client has set, or the zone whose name it has set (RFC 7809, section 5.2).
  private func timeZone(_ name: XMLName, among dead: [CalendarProperty]) throws -> XMLElement? {
    switch name {
    case .caldav("calendar-timezone-id"):
      try property(.caldav("calendar-timezone"), among: dead)
        .flatMap { ObjectFilter.zoneName(in: $0.text) }.map { XMLElement(name, text: $0) }
    case .caldav("calendar-timezone"):
      try property(.caldav("calendar-timezone-id"), among: dead)
        .flatMap { ICalendarWriter().text(ofZone: TimeZoneID(rawValue: $0.trimmedText)) }
        .map { XMLElement(name, text: $0) }
    default: nil
    }
  }

  private func property(_ name: XMLName, among dead: [CalendarProperty]) throws -> XMLElement? {
    guard let found = dead.first(where: { $0.isNamed(name) }) else { return nil }
    return try XMLReader.read(Array(found.value.utf8))
  }
}

extension XMLElement {
  static func contentType(isEvent: Bool) -> XMLElement {
    XMLElement(
      .dav("getcontenttype"), text: "text/calendar; charset=utf-8; component=\(isEvent ? "VEVENT" : "VTODO")")
  }
}

/// The properties of this server.
enum PropertyNames {
  /// The properties for `allprop` (RFC 4918, section 9.1): cheap ones, and no others of CalDAV (RFC 4791,
  /// section 5.2).
  static let all: [XMLName] = [
    .dav("resourcetype"), .dav("displayname"), .dav("getetag"), .dav("getcontenttype"),
    .dav("getcontentlength"),
    .dav("getlastmodified"), .dav("creationdate"), .dav("supportedlock"), .dav("lockdiscovery"),
  ]

  /// The others.
  static let more: [XMLName] = [
    .dav("current-user-principal"), .dav("principal-URL"), .dav("owner"), .dav("current-user-privilege-set"),
    .dav("supported-report-set"), .dav("principal-collection-set"), .dav("sync-token"),
    .dav("alternate-URI-set"),
    .dav("group-membership"), .caldav("calendar-home-set"), .caldav("calendar-user-address-set"),
    .caldav("calendar-user-type"), .caldav("supported-calendar-component-set"),
    .caldav("supported-calendar-data"),
    .caldav("supported-collation-set"), .caldav("max-resource-size"), .calendarServer("getctag"),
    .apple("calendar-color"), .caldav("schedule-calendar-transp"), .push("transports"), .push("topic"),
    .push("supported-triggers"), .fencepost("origin"),
  ]

  /// The properties that a client can set and that have an effect here.
  static let settable: Set<XMLName> = [.dav("displayname"), .apple("calendar-color")]

  /// The properties that a client can't set.
  static let protected: Set<XMLName> =
    Set(all + more + [.caldav("calendar-data")]).subtracting(settable)
    .subtracting([.caldav("schedule-calendar-transp")])
}
