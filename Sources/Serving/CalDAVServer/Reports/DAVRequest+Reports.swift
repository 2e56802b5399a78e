import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostWebServer
import FencepostXML

/// REPORT (RFC 3253, section 3.6).
extension DAVRequest {
  func report() throws -> HTTPResponse {
    let report = try Report(parsing: request.body)
    return try store.read { try answer(report, in: $0) }
  }

  private func answer(_ report: Report, in reader: borrowing StoreReader) throws -> HTTPResponse {
    let resource = try resource(in: reader)
    guard report.properties?.calendarData.isOfKnownType ?? true else {
      throw DAVRefusal(.caldav("supported-calendar-data"), "objects have the type text/calendar, version 2.0")
    }
    switch (report, resource) {
    case (.syncCollection(let report), .list(let list)): return try sync(report, list, in: reader)
    case (.multiget(let report), .list), (.multiget(let report), .home), (.multiget(let report), .object):
      return try multiget(report, in: reader)
    case (.query(let report), .list(let list)): return try query(report, list, in: reader)
    case (.freeBusy(let range), .list(let list)):
      let text = try FreeBusy(range, in: list, resolver: server.resolver, at: server.clock()).text(of: reader)
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "text/calendar; charset=utf-8"], body: Array(text.utf8))
    case (.expandProperty(let properties), _):
      let propstats = try expanded(properties, of: resource, in: reader)
      return .multistatus(Multistatus([.init(href: href(of: resource), propstats: propstats)]))
    case (.other(let root), _) where root.name == .dav("principal-search-property-set"):
      return .xml(Self.searchableProperties.document, status: 200)
    case (.other(let root), _) where root.name == .dav("principal-property-search"):
      return try principalSearch(root, in: reader)
    default: throw DAVRefusal(.dav("supported-report"), "this address has no such report")
    }
  }

  // MARK: sync-collection

  private func sync(
    _ report: SyncCollection, _ list: ItemCalendar, in reader: borrowing StoreReader
  ) throws -> HTTPResponse {
    guard !report.isDeep else {
      throw DAVRefusal(.dav("sync-traversal-supported"), "use the sync-level 1")
    }
    let base = href(of: .list(list))
    let listing = try server.listings.listing(of: list.id, in: reader)
    var token = SyncToken(change: try server.listings.lastChange(of: list.id, in: reader))
    var uids: [ExactText]
    var isTruncated = false
    var departed: [(uid: String, name: String?)] = []
    if report.token.isEmpty {
      uids = try page(listing.members.keys.sorted(), report.limit, &token, &isTruncated)
    } else {
      guard let known = SyncToken(report.token),
        var changed = try reader.changedUIDs(in: list.id, after: known.change)?.map(ExactText.init(_:))
      else { throw DAVRefusal(.dav("valid-sync-token"), "the token is too old; ask without a token") }
      departed = try reader.departedObjects(in: list.id, after: known.change)
      if let cursor = known.cursor.map(ExactText.init(_:)) {
        changed = changed.filter { $0 <= cursor }
        let rest = listing.members.keys.filter { $0 > cursor }.sorted()
        let room = report.limit.map { max(1, $0 - changed.count) }
        uids = changed + (try page(rest, room, &token, &isTruncated))
      } else {
        uids = changed
        // A partial answer can't be described by the number of a change.
        if let limit = report.limit, uids.count > limit {
          throw DAVRefusal(.dav("number-of-matches-within-limits"), status: 507)
        }
      }
    }
    var responses = ResponseList()
    for uid in uids {
      if let member = listing.members[uid] {
        let href = base + Href.path([member.name]).dropFirst()
        try responses.append(response(href, uid.text, member, in: list, report.properties, reader))
      }
    }
    var gone: Set<ExactText> = []
    for (uid, name) in departed {
      let name = try name ?? reader.objectName(ofUID: uid, in: list.id)
      // Another object may have that name now.
      guard gone.insert(ExactText(name)).inserted, try reader.storedObject(named: name, in: list.id) == nil
      else {
        continue
      }
      try responses.append(.init(href: base + Href.path([name]).dropFirst(), status: 404))
    }
    if isTruncated {
      try responses.append(
        .init(href: base, status: 507, conditions: [XMLElement(.dav("number-of-matches-within-limits"))]))
    }
    return .multistatus(Multistatus(responses.all, syncToken: token.text))
  }

  /// The first UIDs of `all`, and the start of the next answer.
  private func page(
    _ all: [ExactText], _ limit: Int?, _ token: inout SyncToken, _ isTruncated: inout Bool
  ) throws -> [ExactText] {
    guard let limit, all.count > limit else { return all }
    isTruncated = true
    token.cursor = all[limit - 1].text
    return Array(all[..<limit])
  }

  // MARK: calendar-multiget and calendar-query

  private func multiget(_ report: CalendarMultiget, in reader: borrowing StoreReader) throws -> HTTPResponse {
    var responses = ResponseList()
    var seen: Set<ExactText> = []
    for href in report.hrefs where seen.insert(ExactText(href)).inserted {
      try responses.checkTime()
      guard let segments = Href.segments(of: href),
        case .object(let list, let name)? = try? resource(segments, in: reader),
        segments.starts(with: self.segments),
        let object = try reader.storedObject(named: name, in: list.id)
      else {
        try responses.append(.init(href: href, status: 404))
        continue
      }
      try responses.append(response(href, .object(list, name: name), object, report.properties, in: reader))
    }
    return .multistatus(Multistatus(responses.all))
  }

  private func query(
    _ report: CalendarQuery, _ list: ItemCalendar, in reader: borrowing StoreReader
  ) throws -> HTTPResponse {
    let dead = try reader.calendarProperties(in: list.id)
    let zone = try property(.caldav("calendar-timezone"), of: .list(list), dead: dead, in: reader)
    let filter = try ObjectFilter(
      report.filter, timeZone: report.timeZone ?? zone?.text, resolver: server.resolver)
    let base = href(of: .list(list))
    let listing = try server.listings.listing(of: list.id, in: reader)
    var responses = ResponseList()
    for (uid, member) in listing.members where filter.mayMatch(isEvent: member.isEvent) {
      try responses.checkTime()
      let href = base + Href.path([member.name]).dropFirst()
      if filter.isDecidedByKind {
        try responses.append(response(href, uid.text, member, in: list, report.properties, reader))
      } else if let object = try reader.storedObject(uid: uid.text, in: list.id), filter.matches(object) {
        let resource = Resource.object(list, name: object.name)
        try responses.append(response(href, resource, object, report.properties, in: reader))
      }
    }
    if let limit = report.limit, responses.all.count > limit {
      throw DAVRefusal(.dav("number-of-matches-within-limits"), status: 507)
    }
    return .multistatus(Multistatus(responses.all))
  }

  // MARK: Properties of other resources

  /// Properties with those of the resources that they refer to (RFC 3253, section 3.8).
  private func expanded(
    _ properties: [ExpandedProperty], of resource: Resource, in reader: borrowing StoreReader
  ) throws -> [Multistatus.Propstat] {
    var found: [XMLElement] = []
    var missing: [XMLElement] = []
    for wanted in properties {
      guard let value = try property(wanted.name, of: resource, in: reader) else {
        missing.append(XMLElement(wanted.name))
        continue
      }
      guard !wanted.properties.isEmpty, !value.hrefs.isEmpty else {
        found.append(value)
        continue
      }
      var responses: [Multistatus.Response] = []
      for href in value.hrefs {
        if let segments = Href.segments(of: href), let target = try? self.resource(segments, in: reader) {
          let propstats = try expanded(wanted.properties, of: target, in: reader)
          responses.append(.init(href: href, propstats: propstats))
        } else {
          responses.append(.init(href: href, status: 404))
        }
      }
      found.append(XMLElement(wanted.name, Multistatus(responses).elements))
    }
    return (found.isEmpty ? [] : [.init(status: 200, properties: found)])
      + (missing.isEmpty ? [] : [.init(status: 404, properties: missing)])
  }

  /// The properties for searching principals (RFC 3744, section 9.5).
  private static let searchableProperties = XMLElement(
    .dav("principal-search-property-set"),
    [
      XMLElement(
        .dav("principal-search-property"),
        [
          XMLElement(.dav("prop"), [XMLElement(.dav("displayname"))]),
          XMLElement(.dav("description"), text: "name"),
        ])
    ])

  /// Searches principals by their name (RFC 3744, section 9.4). A client only finds itself.
  private func principalSearch(_ root: XMLElement, in reader: borrowing StoreReader) throws -> HTTPResponse {
    var isFound = true
    for search in root.all(.dav("property-search")) {
      let text = search.first(.dav("match"))?.trimmedText.lowercased() ?? ""
      var isMatch = false
      for name in search.first(.dav("prop"))?.elements.map(\.name) ?? [] {
        guard let value = try property(name, of: .principal, in: reader) else { continue }
        if (value.text + value.hrefs.joined()).lowercased().contains(text) { isMatch = true }
      }
      isFound = isFound && isMatch
    }
    let wanted = PropertyRequest.listed(root.first(.dav("prop"))?.elements.map(\.name) ?? [])
    return .multistatus(
      Multistatus(isFound ? [try response(principalHref, .principal, nil, wanted, in: reader)] : []))
  }
}
