import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostWebServer
import FencepostXML

/// GET, PUT and DELETE.
extension DAVRequest {
  func get() throws -> HTTPResponse {
    try store.read { reader in
      guard case .object(let list, let name) = try resource(in: reader) else {
        return HTTPResponse(
          status: 200, headers: ["Content-Type": "text/plain; charset=utf-8"],
          body: Array("Add this address to a calendar program as a CalDAV account.\n".utf8))
      }
      guard let object = try reader.storedObject(named: name, in: list.id) else { throw DAVRefusal.notFound }
      try check(ifMatch: object.etag)
      if request.head.headers["if-none-match"].map({ EntityTags($0).contain(object.etag) }) == true {
        return HTTPResponse(status: 304, headers: ["ETag": object.etag])
      }
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "text/calendar; charset=utf-8", "ETag": object.etag],
        body: object.text)
    }
  }

  func put() throws -> HTTPResponse {
    // All slow work comes before the transaction: the present object is only read again if the store has
    // changed meanwhile.
    let (list, name, before) = try store.read { reader in
      guard case .object(let list, let name) = try resource(in: reader) else {
        throw DAVRefusal(status: 405, "only calendar objects can be stored")
      }
      let known = try reader.storedObject(named: name, in: list.id)
      return (list, name, (object: known, change: try reader.lastChange()))
    }
    guard canWrite(list) else { throw DAVRefusal.needPrivileges }
    if let type = request.head.contentType, type != "text/calendar" {
      throw DAVRefusal(.caldav("supported-calendar-data"), status: 415, "use the type text/calendar")
    }
    guard ["utf-8", "utf8", "us-ascii"].contains(Self.charset(of: request.head) ?? "utf-8") else {
      throw DAVRefusal(.caldav("supported-calendar-data"), status: 415, "use the charset utf-8")
    }
    guard request.head.headers["content-range"] == nil else {
      throw DAVRefusal(status: 400, "an object is stored as a whole")
    }
    let body = try ObjectBody(request.body, for: list)
    let title = body.items.first?.title ?? ""
    let etag = StoredObject.etag(of: body.bytes)
    return try change(before.object == nil ? .add : .edit, title) { writer in
      let isCurrent = try writer.reader.lastChange() == before.change
      let known = try isCurrent ? before.object : writer.reader.storedObject(named: name, in: list.id)
      let isAsSent = try put(body, as: name, in: list, over: known, writer)
      // An ETag says that the client's bytes are kept (RFC 4791, section 5.3.4).
      return HTTPResponse(status: known == nil ? 201 : 204, headers: isAsSent ? ["ETag": etag] : [:])
    }
  }

  /// The parameter `charset` of the content type, in lower case.
  private static func charset(of head: HTTPHead) -> String? {
    let parameters = head.headers["content-type"]?.lowercased().split(separator: ";").dropFirst() ?? []
    return parameters.lazy.map { $0.filter { !$0.isWhitespace && $0 != "\"" } }
      .first { $0.hasPrefix("charset=") }.map { String($0.dropFirst(8)) }
  }

  private func put(
    _ body: ObjectBody, as name: String, in list: ItemCalendar, over known: StoredObject?,
    _ writer: borrowing StoreWriter
  ) throws -> Bool {
    // Another client may have removed it meanwhile (RFC 4918, section 9.7.1).
    guard let list = try self.list(list.id.rawValue, in: writer.reader) else {
      throw DAVRefusal(status: 409, "the list is gone")
    }
    guard canWrite(list) else { throw DAVRefusal.needPrivileges }
    try check(ifMatch: known?.etag)
    try check(ifNoneMatch: known?.etag)
    try checkUID(body.uid, for: known, in: list, writer.reader)
    if let known, known.isEvent != body.isEvent {
      throw DAVRefusal(
        .caldav("valid-calendar-object-resource"), "an event stays an event, and a reminder a reminder")
    }
    // What was here before had properties of its own.
    if known == nil { try writer.removeProperties(of: name, in: list.id) }
    return try body.store(
      as: name, in: list, over: known?.items ?? [], at: server.clock(), writer: writer)
  }

  /// Checks that an object with this UID may be stored at the address of `known` (RFC 4791, section 5.3.2.1).
  func checkUID(
    _ uid: String, for known: StoredObject?, in list: ItemCalendar, _ reader: borrowing StoreReader
  ) throws {
    if let known, ExactText(known.uid) == ExactText(uid) { return }
    let other = try known ?? reader.storedObject(uid: uid, in: list.id)
    guard let other else { return }
    let href = href(ofList: list) + Href.path([other.name]).dropFirst()
    throw DAVRefusal(
      [.href(href, in: .caldav("no-uid-conflict"))], status: 409,
      known == nil ? "this UID has another address" : "this address has another UID")
  }

  func delete() throws -> HTTPResponse {
    let resource = try store.read { try self.resource(in: $0) }
    switch resource {
    case .object(let list, let name):
      guard canWrite(list) else { throw DAVRefusal.needPrivileges }
      let title = try store.read { try $0.storedObject(named: name, in: list.id) }?.items.first?.title
      try change(.remove, title ?? "") { writer in
        guard let object = try writer.reader.storedObject(named: name, in: list.id) else {
          throw DAVRefusal.notFound
        }
        try check(ifMatch: object.etag)
        try check(ifNoneMatch: object.etag)
        for item in object.items { try writer.remove(item.id) }
        try writer.removeProperties(of: name, in: list.id)
      }
    case .list(let list):
      guard canWrite(list), !list.isImmutable, isOfWholeAccount else { throw DAVRefusal.needPrivileges }
      try change(.removeList, list.title) { try $0.remove(list.id) }
    default: throw DAVRefusal.needPrivileges
    }
    return HTTPResponse(status: 204)
  }
}
