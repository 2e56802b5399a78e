import FencepostCalDAV
public import FencepostReconciliation
import FencepostWebClient
import FencepostXML
import FoundationEssentials

/// The objects of one calendar on a server. Their names are normalized paths of resources.
public struct CalDAVCollection: SyncPeer {
  private let session: DAVSession
  private let calendar: RemoteCalendar

  /// The most objects that one request asks for.
  private static let batch = 50

  /// The objects of a calendar.
  public init(session: DAVSession, calendar: RemoteCalendar) {
    self.session = session
    self.calendar = calendar
  }

  /// The header that saves a push of the own change (draft-bitfire-webdav-push).
  private var quiet: [String] {
    guard let registration = calendar.registration, !registration.contains("\"") else { return [] }
    return ["Push-Dont-Notify: \"\(registration)\""]
  }

  // MARK: Changes

  /// See ``Reconciliation/SyncPeer/changes(since:)``. If the server rejects the token, this lists everything.
  public func changes(since token: String?) throws -> PeerChanges {
    if calendar.canSync {
      attempts: for start in token == nil ? [nil] : [token, nil] {
        do {
          return try synchronize(since: start)
        } catch let failure as DAVFailure {
          switch failure.kind {
          case .invalidToken: continue
          // The server can't do it, despite its announcement.
          case .unsupported, .forbidden: break attempts
          default: throw failure
          }
        }
      }
    }
    return PeerChanges(listing: Listing(all: try tags()), token: nil)
  }

  /// RFC 6578. Continues an incomplete answer (507 for the collection itself).
  private func synchronize(since token: String?) throws -> PeerChanges {
    var tags: [String: String] = [:]
    var gone: Set<String> = []
    var next = token ?? ""
    var seen: Set<String> = []
    for _ in 0..<1_000 {
      let report = SyncCollection(token: next, properties: .listed([.dav("getetag"), .dav("resourcetype")]))
      let (multistatus, _) = try session.multistatus(
        "REPORT", calendar.url, depth: "0", body: Report.syncCollection(report).document)
      var isCut = false
      for response in multistatus.responses {
        guard let name = name(response.href) else {
          isCut = isCut || response.status == 507
          continue
        }
        if response.status == 404 || response.status == 410 {
          gone.insert(name)
          tags[name] = nil
        } else if response.property(.dav("resourcetype"))?.has(.dav("collection")) != true {
          tags[name] = tag(response)
          gone.remove(name)
        }
      }
      guard let new = multistatus.syncToken, !new.isEmpty else {
        throw DAVFailure(.unsupported, "\(session.shown(calendar.url)): the server gives no sync token")
      }
      let isStuck = isCut && (new == next || !seen.insert(new).inserted)
      next = new
      if isStuck {
        throw DAVFailure(
          .unsupported, "\(session.shown(calendar.url)): the server sends only a part of the changes")
      }
      if !isCut {
        let listing = token == nil ? Listing(all: tags) : Listing(changed: tags, gone: gone)
        return PeerChanges(listing: listing, token: next)
      }
    }
    throw DAVFailure(.unsupported, "\(session.shown(calendar.url)): the server sends changes without end")
  }

  private func tags() throws -> [String: String] {
    let body = PropertyRequest.listed([.dav("getetag"), .dav("resourcetype")]).propfind
    let (multistatus, _) = try session.multistatus("PROPFIND", calendar.url, depth: "1", body: body)
    var tags: [String: String] = [:]
    for response in multistatus.responses {
      guard let name = name(response.href),
        response.property(.dav("resourcetype"))?.has(.dav("collection")) != true
      else { continue }
      tags[name] = tag(response)
    }
    return tags
  }

  /// The name of an object; `nil` for the collection itself and what is not directly in it.
  private func name(_ href: String) -> String? {
    guard let segments = Href.segments(of: href), let own = Href.segments(of: calendar.url.absoluteString),
      segments.count == own.count + 1, segments.starts(with: own)
    else { return nil }
    return Href.path(segments)
  }

  /// The tag of an object. An empty tag still means that the object exists.
  private func tag(_ response: Multistatus.Response) -> String {
    let tag = response.property(.dav("getetag")).map { Self.strong($0.trimmedText) } ?? ""
    // It becomes a line of a header.
    return tag.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } ? tag : ""
  }

  /// A tag without the mark that proxies add when they compress an answer (RFC 9110, section 8.8.1).
  static func strong(_ tag: String) -> String { tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag }

  // MARK: Reading

  /// The failures of single objects in sequence after which the problem is not the objects.
  private static let maximumFailures = 3

  /// Objects that were read, and how that went.
  private struct Reading {
    var objects: [PeerObject] = []
    var failuresInSequence = 0
  }

  /// See ``Reconciliation/SyncPeer/read(_:)``. One object that the server can't give does not keep the others.
  public func read(_ names: [String]) throws -> [PeerObject] {
    var reading = Reading()
    for start in stride(from: 0, to: names.count, by: Self.batch) {
      try read(names[start..<min(start + Self.batch, names.count)], &reading)
    }
    return reading.objects
  }

  /// Asks for objects in one request; if that fails, for each half, and at last for single ones.
  private func read(_ names: ArraySlice<String>, _ reading: inout Reading) throws {
    do {
      let objects = try multiget(names)
      reading.objects += objects
      let given = Set(objects.map(\.name))
      for name in names where !given.contains(name) { try get(name, &reading) }
    } catch let failure as DAVFailure where failure.concernsOneCalendar {
      if names.count == 1 || failure.kind == .unsupported {
        for name in names { try get(name, &reading) }
      } else {
        let middle = names.startIndex + names.count / 2
        try read(names[..<middle], &reading)
        try read(names[middle...], &reading)
      }
    }
  }

  private func multiget(_ names: ArraySlice<String>) throws -> [PeerObject] {
    let report = CalendarMultiget(
      Array(names), properties: .listed([.dav("getetag"), .caldav("calendar-data")]))
    let (multistatus, _) = try session.multistatus(
      "REPORT", calendar.url, depth: "1", body: Report.multiget(report).document)
    let wanted = Set(names)
    return multistatus.responses.compactMap { response in
      guard let name = name(response.href), wanted.contains(name),
        let data = response.property(.caldav("calendar-data"))
      else { return nil }
      let tag = tag(response)
      return PeerObject(name: name, tag: tag.isEmpty ? nil : tag, text: Array(data.text.utf8))
    }
  }

  /// Reads one object, unless the server does not give it.
  private func get(_ name: String, _ reading: inout Reading) throws {
    do {
      let response = try session.send("GET", try url(name)).response
      reading.failuresInSequence = 0
      guard response.status == 200, !response.isPage else { return }
      let tag = response.entityTag.map(Self.strong) ?? ""
      // Characters that XML forbids would not come with other requests.
      let text = XMLReader.withoutForbiddenCharacters(response.body)
      reading.objects.append(PeerObject(name: name, tag: tag.isEmpty ? nil : tag, text: text))
    } catch let failure as DAVFailure where failure.concernsOneCalendar {
      reading.failuresInSequence += 1
      if reading.failuresInSequence == Self.maximumFailures { throw failure }
    }
  }

  // MARK: Writing

  /// See ``Reconciliation/SyncPeer/create(uid:text:)``. The name follows from the UID, so that a retry after
  /// a lost answer does not create the object twice.
  public func create(uid: String, text: String) throws -> PeerWrite {
    guard let own = Href.segments(of: calendar.url.absoluteString) else {
      return .refused("the calendar has no usable address")
    }
    return try put(Href.path(own + [ObjectName.fileName(of: uid)]), "If-None-Match: *", text)
  }

  /// See ``Reconciliation/SyncPeer/replace(_:tag:text:)``.
  public func replace(_ name: String, tag: String?, text: String) throws -> PeerWrite {
    guard let tag, !tag.isEmpty else { return .changedMeanwhile }
    return try put(name, "If-Match: \(tag)", text)
  }

  private func put(_ name: String, _ condition: String, _ text: String) throws -> PeerWrite {
    let answer = try session.send(
      "PUT", try url(name), headers: [condition] + quiet, body: Array(text.utf8), isXML: false)
    let response = answer.response
    switch response.status {
    case 200 where response.isPage: throw session.pageInsteadOfData(calendar.url)
    case 200..<300:
      // A weak tag comes from a proxy, and a server that changed the object sends none.
      let tag = response.entityTag.flatMap { $0.hasPrefix("W/") || $0.isEmpty ? nil : $0 }
      return .done(name: name, tag: tag)
    default: return try outcome(response, name)
    }
  }

  /// See ``Reconciliation/SyncPeer/delete(_:tag:)``.
  public func delete(_ name: String, tag: String?) throws -> PeerWrite {
    guard let tag, !tag.isEmpty else { return .changedMeanwhile }
    let response = try session.send("DELETE", try url(name), headers: ["If-Match: \(tag)"] + quiet).response
    switch response.status {
    case 200 where response.isPage: throw session.pageInsteadOfData(calendar.url)
    case 200..<300, 404, 410: return .done(name: name, tag: nil)
    default: return try outcome(response, name)
    }
  }

  private func outcome(_ response: HTTPClient.Response, _ name: String) throws -> PeerWrite {
    let precondition = Precondition(parsing: response.body)
    if let conflict = precondition?.conditions.first(where: { $0.name == .caldav("no-uid-conflict") }) {
      return .exists(name: conflict.hrefs.first.flatMap { self.name($0) })
    }
    switch response.status {
    case 412: return .changedMeanwhile
    case 404, 410: return .gone
    case 409 where precondition?.conditions.isEmpty ?? true: return .changedMeanwhile
    case 507:
      throw DAVFailure(.later, "\(session.shown(calendar.url)) has no space left; it answered 507")
    case 400..<500:
      return .refused("the server answered \(response.status)\(DAVSession.reason(precondition))")
    default:
      throw DAVFailure(.unsupported, "\(session.shown(calendar.url)): the server answered \(response.status)")
    }
  }

  private func url(_ name: String) throws -> URL {
    guard let url = URL(string: name, relativeTo: calendar.url)?.absoluteURL else {
      throw DAVFailure(.unreadable, "'\(name)' can't be an address")
    }
    return url
  }
}

extension HTTPClient.Response {
  /// Whether it is a page for people: a sign-in page, or one of a network that asks to sign in. No server
  /// stores an object with such an answer of status 200.
  fileprivate var isPage: Bool { headers["content-type"]?.lowercased().hasPrefix("text/html") == true }
}
