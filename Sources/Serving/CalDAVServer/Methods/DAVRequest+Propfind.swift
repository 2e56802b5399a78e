import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostWebServer
import FencepostXML

/// PROPFIND (RFC 4918, section 9.1).
extension DAVRequest {
  func propfind() throws -> HTTPResponse {
    let wanted = try PropertyRequest(propfind: request.body)
    guard let depth = Int(request.head.headers["depth"] ?? "infinity"), (0...1).contains(depth) else {
      throw DAVRefusal(.dav("propfind-finite-depth"), "use the header Depth with 0 or 1")
    }
    return .multistatus(Multistatus(try store.read { try responses(to: wanted, isDeep: depth == 1, in: $0) }))
  }

  private func responses(
    to wanted: PropertyRequest, isDeep: Bool, in reader: borrowing StoreReader
  ) throws -> [Multistatus.Response] {
    let resource = try resource(in: reader)
    let base = href(of: resource)
    if case .object(let list, let name) = resource {
      guard let object = try reader.storedObject(named: name, in: list.id) else { throw DAVRefusal.notFound }
      return [try response(base, resource, object, wanted, in: reader)]
    }
    var responses = ResponseList()
    try responses.append(response(base, resource, nil, wanted, in: reader))
    guard isDeep else { return responses.all }
    for (name, child) in try collections(in: resource, reader) {
      let href = base + Href.path([name], isCollection: true).dropFirst()
      try responses.append(response(href, child, nil, wanted, in: reader))
    }
    if case .list(let list) = resource {
      for (uid, member) in try server.listings.listing(of: list.id, in: reader).members {
        let href = base + Href.path([member.name]).dropFirst()
        try responses.append(response(href, uid.text, member, in: list, wanted, reader))
      }
    }
    return responses.all
  }

  /// The collections in a resource, by the last part of their address.
  private func collections(
    in resource: Resource, _ reader: borrowing StoreReader
  ) throws -> [(String, Resource)] {
    switch resource {
    case .root: [("principals", .principals), ("calendars", .homes)]
    case .principals: [(user, .principal)]
    case .homes: [(user, .home)]
    case .home: try lists(in: reader).map { ($0.id.rawValue, .list($0)) }
    case .top, .principal, .list, .object: []
    }
  }

  /// The response for a member of a list. Without reading it, only its ETag and type are known.
  func response(
    _ href: String, _ uid: String, _ member: Listings.Member, in list: ItemCalendar,
    _ wanted: PropertyRequest,
    _ reader: borrowing StoreReader
  ) throws -> Multistatus.Response {
    if case .listed(let names) = wanted.selection {
      let quick = names.map { name -> XMLElement? in
        switch name {
        case .dav("getetag"): XMLElement(name, text: member.etag)
        case .dav("getcontenttype"): .contentType(isEvent: member.isEvent)
        case .dav("resourcetype"): XMLElement(name)
        default: nil
        }
      }
      if !quick.contains(nil) {
        return .init(href: href, propstats: [.init(status: 200, properties: quick.compactMap(\.self))])
      }
    }
    guard let object = try reader.storedObject(uid: uid, in: list.id) else {
      return .init(href: href, status: 404)
    }
    return try response(href, .object(list, name: object.name), object, wanted, in: reader)
  }

  /// The response for a resource: its properties with 200, and all other requested ones with 404.
  func response(
    _ href: String, _ resource: Resource, _ object: StoredObject?, _ wanted: PropertyRequest,
    in reader: borrowing StoreReader
  ) throws -> Multistatus.Response {
    let dead =
      switch resource {
      case .list(let list): try reader.calendarProperties(in: list.id)
      case .object(let list, let name): try reader.calendarProperties(of: name, in: list.id)
      case .principal where isOfWholeAccount: try reader.properties(of: .principal)
      case .home where isOfWholeAccount: try reader.properties(of: .home)
      default: [CalendarProperty]()
      }
    let deadNames = dead.map { XMLName(namespace: $0.namespace, $0.name) }
    let names: [XMLName]
    switch wanted.selection {
    case .listed(let listed): names = listed
    case .all(let more): names = PropertyNames.all + deadNames + more
    case .names: names = PropertyNames.all + PropertyNames.more + deadNames
    }
    var found: [XMLElement] = []
    var missing: [XMLElement] = []
    var seen: Set<XMLName> = []
    for name in names where seen.insert(name).inserted {
      if name == .caldav("calendar-data"), let object {
        let text = try CalendarData(wanted.calendarData, resolver: server.resolver).text(of: object)
        found.append(XMLElement(name, text: text))
      } else if let value = try property(name, of: resource, object, dead: dead, in: reader) {
        found.append(wanted.selection == .names ? XMLElement(name) : value)
      } else if case .listed = wanted.selection {
        missing.append(XMLElement(name))
      }
    }
    var propstats = [Multistatus.Propstat(status: 200, properties: found)]
    if !missing.isEmpty { propstats.append(.init(status: 404, properties: missing)) }
    if found.isEmpty && !missing.isEmpty { propstats.removeFirst() }
    return .init(href: href, propstats: propstats)
  }
}
