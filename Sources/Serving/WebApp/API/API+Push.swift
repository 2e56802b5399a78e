import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostCryptography
import FencepostItems
import FencepostJSON
import FencepostWebPush
import FencepostWebServer
import Synchronization

extension WebApp {
  static let pushRoutes: [Route] = [
    Route(
      "GET", "/push", .read, "The key for push subscriptions, and those of the caller",
      answer: .object([
        "type": .words("push"), "key": .text, "subscriptions": .list(.named("PushSubscription")),
      ])
    ) { app, call in
      var line = JSONLine(type: "push")
      line.add("key", Base64URL.encode(try app.clients.pushKey().publicKey))
      line.add("subscriptions", try app.clients.pushSubscriptions(of: call.principal).map(app.object))
      return .json(line.line)
    },
    Route(
      "POST", "/push/subscriptions", .read, "Have alarms pushed to a browser or an app (RFC 8030)",
      body: .object([
        "endpoint": .text, "expirationTime?": .anything, "keys": .object(["p256dh": .text, "auth": .text]),
      ]), answer: .named("PushSubscription"), status: 201
    ) {
      app, call in
      let json = try call.json()
      func bytes(_ field: String) -> [UInt8] {
        json["keys"]?[field]?.text.flatMap { Base64URL.decode($0) } ?? []
      }
      do {
        let subscription = try PushSubscription(
          endpoint: json["endpoint"]?.text ?? "", publicKey: bytes("p256dh"), secret: bytes("auth"),
          reach: app.surroundings.pushReach)
        let stored = try app.clients.subscribe(
          call.principal, endpoint: subscription.endpoint, publicKey: subscription.publicKey,
          secret: subscription.secret)
        return .json(app.object(stored).line, status: 201)
      } catch let refusal as PushRefusal {
        throw APIError.invalid(
          refusal.description, pointer: (refusal.field == "endpoint" ? "/" : "/keys/") + refusal.field)
      } catch let error as ClientError {
        throw APIError.conflict(error.description)
      }
    },
    Route("DELETE", "/push/subscriptions/{id}", .read, "End a push subscription") { app, call in
      let subscription = try app.own(call)
      try app.store.write { _ = try $0.removePushSubscription(subscription.id) }
      return HTTPResponse(status: 204)
    },
    Route("POST", "/push/subscriptions/{id}/test", .read, isSlow: true, "Push a test alarm") { app, call in
      let subscription = try app.own(call).id
      guard app.pushTests.withLock({ $0.take(of: subscription, at: .now) }) else {
        return APIError.problem(429, "Too many tests", "wait ten seconds").with(["Retry-After": "10"])
      }
      do {
        try app.pushTestAlarm(subscription)
        return HTTPResponse(status: 204)
      } catch {
        return APIError.problem(502, "Not delivered", "\(error)")
      }
    },
  ]

  private func own(_ call: Route.Call) throws -> StoredPushSubscription {
    guard let found = try clients.pushSubscriptions(of: call.principal).first(where: { $0.id == call["id"] })
    else {
      throw APIError.notFound("no push subscription '\(call["id"])'")
    }
    return found
  }

  private func object(_ subscription: StoredPushSubscription) -> JSONLine {
    var line = JSONLine(type: "push-subscription")
    line.add("id", subscription.id)
    line.add("endpoint", subscription.endpoint)
    line.add("created", firingLines.text(subscription.created))
    return line
  }
}
