import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostWebServer

/// A request in progress.
struct DAVRequest {
  let server: CalDAVServer
  let request: HTTPRequest
  let principal: Principal
  /// The client's user name, as in the paths of its resources.
  let user: String
  /// The parts of the path.
  let segments: [String]

  init(_ server: CalDAVServer, _ request: HTTPRequest) throws {
    let credentials = request.head.credentials
    guard let principal = request.principal,
      let user = credentials.basic?.user
        ?? (credentials.bearer ?? credentials.token)?.split(separator: ":").first.map(String.init),
      let segments = Href.segments(of: request.head.rawPath)
    else { throw DAVRefusal.notFound }
    self.server = server
    self.request = request
    self.principal = principal
    self.user = user
    self.segments = segments
  }

  var store: CalendarStore { server.store }

  /// Whether lists can be changed at all.
  var canWrite: Bool { principal.rights.contains(.write) }

  /// Whether the client sees all lists.
  var isOfWholeAccount: Bool { principal.lists == nil }

  func answer() throws -> HTTPResponse {
    guard !request.head.rawPath.contains("#") else {
      throw DAVRefusal(status: 400, "the address must not have a fragment")
    }
    if let answer = try unregister() { return answer }
    return switch request.head.method {
    case "OPTIONS": HTTPResponse(status: 200, headers: ["Allow": CalDAVGate.allowed])
    case "PROPFIND": try propfind()
    case "REPORT": try report()
    case "GET", "HEAD": try get()
    case "PUT": try put()
    case "POST": try register()
    case "DELETE": try delete()
    case "PROPPATCH": try proppatch()
    case "MKCALENDAR": try makeCollection(.mkcalendar)
    case "MKCOL": try makeCollection(.mkcol)
    case "COPY", "MOVE": try copyOrMove()
    default: throw DAVRefusal(status: 405, "'\(request.head.method)' is not supported")
    }
  }

  // MARK: Paths

  /// The path of the request in the client's spelling, so that the client recognizes it; a collection ends
  /// with a slash.
  func href(of resource: Resource) -> String {
    let path = request.head.rawPath
    return resource.isCollection && !path.hasSuffix("/") ? path + "/" : path
  }

  var principalHref: String { Href.path(["dav", "principals", user], isCollection: true) }
  var homeHref: String { Href.path(["dav", "calendars", user], isCollection: true) }

  func href(ofList list: ItemCalendar) -> String {
    Href.path(["dav", "calendars", user, list.id.rawValue], isCollection: true)
  }

  /// The resource at the request's path.
  ///
  /// - Throws: ``DAVRefusal/notFound``.
  func resource(in reader: borrowing StoreReader) throws -> Resource {
    try resource(segments, in: reader)
  }

  /// The resource at a path. An object does not need to exist.
  func resource(_ segments: [String], in reader: borrowing StoreReader) throws -> Resource {
    guard let first = segments.first, first != "principals" || segments.count > 1 else { return .top }
    guard first == "dav" else { throw DAVRefusal.notFound }
    switch (segments.count, segments.dropFirst().first) {
    case (1, _): return .root
    case (2, "principals"): return .principals
    case (2, "calendars"): return .homes
    case (3, "principals") where segments[2] == user: return .principal
    case (3, "calendars") where segments[2] == user: return .home
    case (4...5, "calendars") where segments[2] == user:
      guard let list = try list(segments[3], in: reader) else { throw DAVRefusal.notFound }
      return segments.count == 4 ? .list(list) : .object(list, name: segments[4])
    default: throw DAVRefusal.notFound
    }
  }

  /// A list that the client may see.
  func list(_ id: String, in reader: borrowing StoreReader) throws -> ItemCalendar? {
    guard principal.lists?.contains(id) ?? true else { return nil }
    return try reader.calendar(Identifier(rawValue: id))
  }

  /// The lists that the client may see.
  func lists(in reader: borrowing StoreReader) throws -> [ItemCalendar] {
    try reader.calendars().filter { principal.lists?.contains($0.id.rawValue) ?? true }
  }

  /// Whether the client may change a list's items.
  func canWrite(_ list: ItemCalendar) -> Bool { canWrite && list.allowsContentModifications }

  /// The path in the header Destination (RFC 4918, section 10.3).
  func destination() throws -> [String] {
    let header = request.head.headers["destination"].map { $0.hasPrefix("//") ? "http:" + $0 : $0 }
    guard let header, let segments = Href.segments(of: header) else {
      throw DAVRefusal(status: 400, "the header Destination is missing or not an address")
    }
    // An authority follows `//`, with or without a scheme (RFC 3986, section 4.2).
    if let start = header.firstRange(of: "//"), header[..<start.lowerBound].allSatisfy({ $0 != "/" }) {
      guard request.head.isOwn(authority: header[start.upperBound...].prefix { $0 != "/" }) else {
        throw DAVRefusal(status: 502, "the header Destination names another server")
      }
    }
    return segments
  }

  // MARK: Changes

  /// Changes the store, as a step that can be undone under the client's name.
  @discardableResult
  func change<Result>(
    _ action: UndoAction, _ title: String, _ body: (borrowing StoreWriter) throws -> Result
  ) throws -> Result {
    let label = UndoLabel(action, title, by: principal.author, at: server.clock())
    return try store.write(undoableAs: label) { writer in
      try checkAdmission(in: writer.reader)
      let quiet = try quietSubscriptions(in: writer.reader)
      let result = try body(writer)
      if !quiet.isEmpty {
        let last = try writer.reader.lastChange()
        for id in quiet { try writer.noteTold(last, toSubscription: id) }
      }
      return result
    }
  }

  /// Changes something that is no item.
  func write<Result>(_ body: (borrowing StoreWriter) throws -> Result) throws -> Result {
    try store.write { writer in
      try checkAdmission(in: writer.reader)
      return try body(writer)
    }
  }

  /// The body of a request may come long after its head, and the client may have been revoked meanwhile.
  private func checkAdmission(in reader: borrowing StoreReader) throws {
    guard try ClientRegistry.isCurrent(principal, user: user, in: reader) else {
      throw DAVRefusal(status: 401, "this client was revoked, or its rights have changed")
    }
  }
}

/// The resource behind an address.
enum Resource {
  /// `/` or `/principals/`, where clients without a path start.
  case top
  /// `/dav/`.
  case root
  /// `/dav/principals/`.
  case principals
  /// The client.
  case principal
  /// `/dav/calendars/`.
  case homes
  /// The collection of the client's lists.
  case home
  /// A calendar or list.
  case list(ItemCalendar)
  /// The items of one UID, named by the last part of the address.
  case object(ItemCalendar, name: String)

  var isCollection: Bool { if case .object = self { false } else { true } }
}
