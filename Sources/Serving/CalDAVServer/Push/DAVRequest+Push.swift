import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCryptography
import FencepostWebPush
import FencepostWebServer
import FencepostXML

/// WebDAV-Push: clients that want to hear when a list changes (draft-bitfire-webdav-push).
extension DAVRequest {
  /// The longest time for which a subscription holds, and the usual one, in seconds. Clients renew theirs.
  private static let (longest, usual) = (30 * 86_400.0, 7 * 86_400.0)
  /// More subscriptions of one client are a mistake.
  private static let maximumSubscriptions = 500

  /// POST to a list.
  func register() throws -> HTTPResponse {
    guard case .list(let list) = try store.read({ try resource(in: $0) }) else {
      throw DAVRefusal(.push("push-not-available"), "only lists can be subscribed to")
    }
    let registration = try PushRegistration(parsing: request.body)
    guard registration.includesContent || registration.includesProperties else {
      throw DAVRefusal(.push("no-supported-trigger"), "name content-update or property-update as a trigger")
    }
    let target: PushSubscription
    do throws(PushRefusal) {
      target = try PushSubscription(
        endpoint: registration.endpoint,
        publicKey: registration.publicKey.flatMap { Base64URL.decode($0) } ?? [],
        secret: registration.secret.flatMap { Base64URL.decode($0) } ?? [], reach: server.pushReach)
    } catch {
      throw DAVRefusal(.push("invalid-subscription"), "\(error.field) \(error)")
    }
    let now = server.clock()
    let wanted = registration.expires.flatMap(HTTPDate.instant).map { $0.seconds(since: now) } ?? 0
    let expires = now.adding(seconds: wanted > 0 ? min(wanted, Self.longest) : Self.usual)
    let id = try write { writer in
      let own = try writer.reader.changeSubscriptions().filter { $0.client == user }
      for subscription in own where subscription.expires <= now {
        try writer.removeChangeSubscription(subscription.id)
      }
      guard own.count < Self.maximumSubscriptions else {
        throw DAVRefusal(.push("push-not-available"), "this client has too many subscriptions")
      }
      return try writer.save(
        ChangeSubscription(
          id: MessageDigest.hexadecimal(Secret.random(16)), calendar: list.id, client: user,
          endpoint: target.endpoint, publicKey: target.publicKey, secret: target.secret,
          includesProperties: registration.includesProperties, includesContent: registration.includesContent,
          expires: expires, told: try writer.reader.lastChange()))
    }
    return HTTPResponse(
      status: 204,
      headers: [
        "Location": request.head.origin + Href.path(["dav", Self.pushPath, id]),
        "Expires": HTTPDate.text(expires), "Cache-Control": "no-store",
      ])
  }

  /// The second part of the paths of subscriptions.
  static let pushPath = "push"

  /// DELETE of a subscription; `nil` if the request is about something else.
  func unregister() throws -> HTTPResponse? {
    guard segments.count == 3, segments.starts(with: ["dav", Self.pushPath]) else { return nil }
    guard request.head.method == "DELETE" else {
      throw DAVRefusal(status: 405, "a subscription can only be removed")
    }
    return try write { writer in
      let found = try writer.reader.changeSubscriptions().first { $0.id == segments[2] && $0.client == user }
      guard let found, found.expires > server.clock() else { throw DAVRefusal.notFound }
      try writer.removeChangeSubscription(found.id)
      return HTTPResponse(status: 204)
    }
  }

  /// The subscriptions that must not hear of this request, because their client makes the change (header
  /// Push-Dont-Notify). One that has not heard of an earlier change will hear of both.
  func quietSubscriptions(in reader: borrowing StoreReader) throws -> [String] {
    guard let header = request.head.headers["push-dont-notify"] else { return [] }
    let names = header.split(separator: ",").map { $0.trimming { $0 == " " || $0 == "\"" } }
    let ids = Set(names.compactMap { $0.split(separator: "/").last.map(String.init) })
    return try reader.changeSubscriptions().filter { subscription in
      guard subscription.client == user, names.contains("*") || ids.contains(subscription.id) else {
        return false
      }
      let changes = try reader.changes(of: subscription.calendar, after: subscription.told)
      return !changes.content && !changes.properties
    }.map(\.id)
  }
}

extension Substring {
  fileprivate func trimming(_ isPadding: (Character) -> Bool) -> String {
    var rest = drop(while: isPadding)
    while let last = rest.last, isPadding(last) { rest.removeLast() }
    return String(rest)
  }
}

/// Who pushes changes to clients (WebDAV-Push), and what lists say of it.
struct PushIdentity {
  let key: EllipticKey

  /// The name of a list at push services: it tells them nothing, and is the same for all clients.
  func topic(of list: Identifier<ItemCalendar>) -> String {
    let code = MessageDigest.hmacSHA256(Array("topic \(list.rawValue)".utf8), key: key.secret)
    return Base64URL.encode(Array(code.prefix(18)))
  }

  /// A property of a list; `nil` for any that is not of WebDAV-Push.
  func property(_ name: XMLName, of list: ItemCalendar) -> XMLElement? {
    switch name {
    case .push("topic"): XMLElement(name, text: topic(of: list.id))
    case .push("transports"):
      XMLElement(
        name,
        [
          XMLElement(
            .push("web-push"),
            [
              XMLElement(
                .push("vapid-public-key"), attributes: [XMLName("type"): "p256ecdsa"],
                text: Base64URL.encode(key.publicKey))
            ])
        ])
    case .push("supported-triggers"):
      XMLElement(
        name,
        [
          XMLElement(.push("content-update"), [XMLElement(.dav("sync-level"), text: "1")]),
          XMLElement(.push("property-update"), [XMLElement(.dav("depth"), text: "0")]),
        ])
    default: nil
    }
  }
}
