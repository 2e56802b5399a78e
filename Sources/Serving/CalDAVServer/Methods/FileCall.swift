import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCryptography
import FencepostWebServer
import FencepostXML

/// A request for a client's files, below `/dav/files/USER/`: other data of calendar programs, by plain
/// WebDAV.
///
/// Other clients don't see them. They are not items, so changes can't be undone.
struct FileCall {
  private let call: Call
  private let path: String
  /// The most bytes of a file, and of all files of a client.
  private static let (mostBytes, mostBytesOfAll) = (1 << 20, 16 << 20)
  /// The most files and folders of a client.
  private static let mostFiles = 1_000

  /// `nil` if the request is about something else.
  init?(_ call: Call) {
    guard let path = Self.path(call.segments, of: call.user) else { return nil }
    self.call = call
    self.path = path
  }

  /// The path within the client's files; `nil` for any other address.
  private static func path(_ segments: [String], of user: String) -> String? {
    guard segments.starts(with: ["dav", "files", user]) else { return nil }
    let parts = Array(segments.dropFirst(3))
    return parts.isEmpty ? "" : Href.path(parts)
  }

  private var request: HTTPRequest { call.request }
  private var user: String { call.user }

  func answer() throws -> HTTPResponse {
    guard !request.head.rawPath.contains("#") else {
      throw DAVRefusal(status: 400, "the address must not have a fragment")
    }
    switch request.head.method {
    case "OPTIONS": return HTTPResponse(status: 200, headers: ["Allow": CalDAVGate.allowed])
    case "PROPFIND": return try propfind()
    case "GET", "HEAD": return try get()
    case "PUT": return try put()
    case "DELETE": return try delete()
    case "PROPPATCH": return try proppatch()
    case "MKCOL": return try makeFolder()
    case "COPY", "MOVE": return try copyOrMove()
    default: throw DAVRefusal(status: 405, "'\(request.head.method)' is not supported for files")
    }
  }

  // MARK: Reading

  private func file(_ path: String, in reader: borrowing StoreReader) throws -> ClientFile? {
    path.isEmpty
      ? ClientFile(path: "", isCollection: true, modified: .epoch) : try reader.clientFile(path, of: user)
  }

  private static func etag(_ file: ClientFile) -> String {
    StoredObject.etag(of: Array("\(file.path) \(file.modified.microseconds) ".utf8) + file.content)
  }

  private func get() throws -> HTTPResponse {
    guard let file = try call.store.read({ try self.file(path, in: $0) }) else { throw DAVRefusal.notFound }
    return HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": file.isCollection ? "text/plain" : file.type ?? "application/octet-stream",
        "ETag": Self.etag(file), "Content-Security-Policy": "sandbox", "X-Content-Type-Options": "nosniff",
      ], body: file.content)
  }

  private func propfind() throws -> HTTPResponse {
    let wanted = try PropertyRequest(propfind: request.body)
    guard let depth = Int(request.head.headers["depth"] ?? "infinity"), (0...1).contains(depth) else {
      throw DAVRefusal(.dav("propfind-finite-depth"), "use the header Depth with 0 or 1")
    }
    return try call.store.read { reader in
      guard let file = try file(path, in: reader) else { throw DAVRefusal.notFound }
      let own = request.head.rawPath
      let base = file.isCollection && !own.hasSuffix("/") ? own + "/" : own
      var responses = [try response(base, file, wanted, reader)]
      if depth == 1, file.isCollection {
        for member in try reader.clientFiles(below: path, of: user) {
          let name = member.path.dropFirst(path.count + 1)
          guard !name.contains("/") else { continue }
          responses.append(
            try response(base + name + (member.isCollection ? "/" : ""), member, wanted, reader))
        }
      }
      return .multistatus(Multistatus(responses))
    }
  }

  private func response(
    _ href: String, _ file: ClientFile, _ wanted: PropertyRequest, _ reader: borrowing StoreReader
  ) throws -> Multistatus.Response {
    var known = [
      XMLElement(.dav("resourcetype"), file.isCollection ? [XMLElement(.dav("collection"))] : []),
      XMLElement(.dav("getetag"), text: Self.etag(file)),
      XMLElement(.dav("getlastmodified"), text: HTTPDate.text(file.modified)),
      XMLElement(.dav("supportedlock")), .href(call.principalHref, in: .dav("current-user-principal")),
    ]
    if !file.isCollection {
      known.append(XMLElement(.dav("getcontentlength"), text: "\(file.content.count)"))
      known.append(XMLElement(.dav("getcontenttype"), text: file.type ?? "application/octet-stream"))
    }
    for property in try reader.clientFileProperties(file.path, of: user) {
      known.append(try XMLReader.read(Array(property.value.utf8)))
    }
    switch wanted.selection {
    case .all: return .init(href: href, propstats: [.init(status: 200, properties: known)])
    case .names:
      return .init(href: href, propstats: [.init(status: 200, properties: known.map { XMLElement($0.name) })])
    case .listed(let names):
      let found = names.compactMap { name in known.first { $0.name == name } }
      let missing = names.filter { name in !known.contains { $0.name == name } }.map { XMLElement($0) }
      return .init(
        href: href,
        propstats: (found.isEmpty ? [] : [.init(status: 200, properties: found)])
          + (missing.isEmpty ? [] : [.init(status: 404, properties: missing)]))
    }
  }

  // MARK: Changing

  /// Checks that a file can be stored at a path: its folder exists and there is room.
  private func checkRoom(at path: String, for bytes: Int, in reader: borrowing StoreReader) throws {
    let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    guard try file(parent, in: reader)?.isCollection == true else {
      throw DAVRefusal(status: 409, "there is no folder for it")
    }
    let use = try reader.clientFileUse(of: user)
    guard use.count < Self.mostFiles, use.bytes + bytes <= Self.mostBytesOfAll else {
      throw DAVRefusal(.dav("quota-not-exceeded"), status: 507, "this client has too many files")
    }
  }

  private func put() throws -> HTTPResponse {
    guard request.body.count <= Self.mostBytes else {
      throw DAVRefusal(status: 413, "a file has at most 1 MiB")
    }
    return try call.write { writer in
      let known = try file(path, in: writer.reader)
      guard known?.isCollection != true else { throw DAVRefusal(status: 405, "the target is a folder") }
      try call.check(ifMatch: known.map(Self.etag))
      try call.check(ifNoneMatch: known.map(Self.etag))
      try checkRoom(at: path, for: request.body.count, in: writer.reader)
      let file = ClientFile(
        path: path, isCollection: false, content: request.body, type: request.head.headers["content-type"],
        modified: call.server.clock())
      try writer.save(file, of: user)
      return HTTPResponse(status: known == nil ? 201 : 204, headers: ["ETag": Self.etag(file)])
    }
  }

  private func makeFolder() throws -> HTTPResponse {
    guard request.body.isEmpty else { throw DAVRefusal(status: 415, "a folder has no content") }
    return try call.write { writer in
      guard try file(path, in: writer.reader) == nil else { throw DAVRefusal(status: 405, "it exists") }
      try checkRoom(at: path, for: 0, in: writer.reader)
      try writer.save(ClientFile(path: path, isCollection: true, modified: call.server.clock()), of: user)
      return HTTPResponse(status: 201)
    }
  }

  private func delete() throws -> HTTPResponse {
    guard !path.isEmpty else { throw DAVRefusal.needPrivileges }
    return try call.write { writer in
      guard let file = try file(path, in: writer.reader) else { throw DAVRefusal.notFound }
      try call.check(ifMatch: Self.etag(file))
      try writer.removeClientFiles(at: path, of: user)
      return HTTPResponse(status: 204)
    }
  }

  private func copyOrMove() throws -> HTTPResponse {
    let isMove = request.head.method == "MOVE"
    guard let target = Self.path(try call.destination(), of: user) else {
      throw DAVRefusal(status: 403, "the header Destination must name a file of this client")
    }
    guard !path.isEmpty, !target.isEmpty, !(target + "/").hasPrefix(path + "/"),
      !(path + "/").hasPrefix(target + "/")
    else { throw DAVRefusal(status: 403, "one must not contain the other") }
    return try call.write { writer in
      guard let source = try file(path, in: writer.reader) else { throw DAVRefusal.notFound }
      let known = try file(target, in: writer.reader)
      if known != nil, request.head.headers["overwrite"]?.uppercased() == "F" {
        throw DAVRefusal.failedCondition
      }
      var all = [source]
      if isMove || request.head.headers["depth"] != "0" {
        all += try writer.reader.clientFiles(below: path, of: user)
      }
      try checkRoom(at: target, for: isMove ? 0 : all.reduce(0) { $0 + $1.content.count }, in: writer.reader)
      try writer.removeClientFiles(at: target, of: user)
      for file in all {
        try writer.copyClientFile(
          at: file.path, to: target + file.path.dropFirst(path.count), of: user, modified: call.server.clock()
        )
      }
      if isMove { try writer.removeClientFiles(at: path, of: user) }
      return HTTPResponse(status: known == nil ? 201 : 204)
    }
  }

  private func proppatch() throws -> HTTPResponse {
    let update = try PropertyUpdate(parsing: request.body)
    return try call.write { writer in
      guard try file(path, in: writer.reader) != nil else { throw DAVRefusal.notFound }
      let names = update.changes.map(\.name)
      let failed = names.filter { PropertyNames.protected.contains($0) }
      guard failed.isEmpty else {
        let failures = PropertyFailures(
          all: failed.map {
            .init(name: $0, status: 403, condition: .dav("cannot-modify-protected-property"))
          })
        return .multistatus(
          Multistatus([.init(href: request.head.rawPath, propstats: failures.propstats(of: names))]))
      }
      for change in update.changes {
        switch change {
        case .remove(let name):
          try writer.removeProperty(namespace: name.namespace, name: name.local, ofFile: path, of: user)
        case .set(let property):
          let value = String(decoding: property.document, as: UTF8.self)
          guard value.utf8.count <= Call.mostPropertyBytes,
            try writer.reader.clientFileProperties(path, of: user)
              .filter({ $0.name != property.name.local || $0.namespace != property.name.namespace }).count
              < Call.mostProperties
          else { throw DAVRefusal(status: 507, "too many properties, or one is too long") }
          let kept = CalendarProperty(
            namespace: property.name.namespace, name: property.name.local, value: value)
          try writer.set(kept, ofFile: path, of: user)
        }
      }
      return .multistatus(
        Multistatus([
          .init(
            href: request.head.rawPath,
            propstats: [.init(status: 200, properties: names.map { XMLElement($0) })])
        ]))
    }
  }
}
