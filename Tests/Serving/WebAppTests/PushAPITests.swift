import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostCryptography
import FencepostJSON
import FencepostTestSupport
import FencepostWebServer
import Foundation
import Testing

@testable import FencepostWebApp

@Suite("Push subscriptions over the API")
struct PushAPITests {
  private func body(
    endpoint: String = "https://push.example.net/abc", key: [UInt8]? = nil, auth: [UInt8]? = nil
  )
    -> String
  {
    let key = Base64URL.encode(key ?? EllipticKey().publicKey)
    let auth = Base64URL.encode(auth ?? Secret.random(16))
    // As PushSubscription.toJSON() has it.
    return #"{"endpoint":"\#(endpoint)","expirationTime":null,"keys":{"p256dh":"\#(key)","auth":"\#(auth)"}}"#
  }

  @Test("A client subscribes, sees its own subscriptions, and ends them")
  func subscribes() throws {
    let fixture = try WebAppFixture()
    let key = try #require(try fixture.json("GET", "/push")["key"]?.text)
    #expect(Base64URL.decode(key) == (try fixture.app.clients.pushKey().publicKey))
    let made = try fixture.json("POST", "/push/subscriptions", body())
    let id = try #require(made["id"]?.text)
    #expect(try fixture.json("GET", "/push")["subscriptions"]?.list?.first?["id"]?.text == id)
    let (user, password) = try fixture.app.clients.add("other", rights: [.read])
    let other = [WebAppFixture.basic(user, password)]
    #expect(try fixture.ask("GET", "/push", headers: other).contains(#""subscriptions":[]"#))
    #expect(try fixture.ask("DELETE", "/push/subscriptions/\(id)", headers: other).hasPrefix("404"))
    #expect(try fixture.ask("POST", "/push/subscriptions/\(id)/test", "{}", headers: other).hasPrefix("404"))
    #expect(try fixture.ask("POST", "/push/subscriptions/\(id)/test", "{}") == "204")
    // More tests than one in ten seconds are refused after the third.
    let isLimited = try (1...50).contains { _ in
      try fixture.ask("POST", "/push/subscriptions/\(id)/test", "{}").hasPrefix("429")
    }
    #expect(isLimited)
    #expect(try fixture.ask("DELETE", "/push/subscriptions/\(id)") == "204")
    #expect(try fixture.ask("DELETE", "/push/subscriptions/\(id)").hasPrefix("404"))
  }

  @Test("What can't be pushed to is refused with what is wrong")
  func refusals() throws {
    let fixture = try WebAppFixture()
    for (body, pointer) in [
      (body(endpoint: "https://192.168.0.1/x"), "/endpoint"),
      (body(endpoint: "http://push.example.net/x"), "/endpoint"),
      (body(key: [4, 1]), "/keys/p256dh"), (body(auth: [1]), "/keys/auth"), ("{}", "/endpoint"),
    ] {
      let answer = try fixture.ask("POST", "/push/subscriptions", body)
      #expect(answer.hasPrefix("400") && answer.contains(#""pointer":"\#(pointer)""#), "\(answer)")
    }
    #expect(try fixture.store.read { try $0.pushSubscriptions() }.isEmpty)
  }

  @Test("A notification's token answers its alarm without a session, and does nothing else")
  func answers() throws {
    let fixture = try WebAppFixture()
    let (user, _) = try fixture.app.clients.add("app", rights: [.read, .write])
    let (reader, _) = try fixture.app.clients.add("reader", rights: [.read])
    var item = CalendarItem(
      calendar: try fixture.store.write { try $0.defaultCalendar(for: .reminders).id }, title: "Milk",
      details: .reminder(ReminderDetails()))
    item.alarms = [
      Alarm(trigger: .absolute(fixture.now)), Alarm(trigger: .absolute(fixture.now.adding(seconds: 1))),
    ]
    let subscription = try fixture.store.write { [item] writer in
      try writer.save(item)
      var step = LedgerStep()
      step.firings = item.alarms.map {
        Firing(kind: .absolute, time: fixture.now, alarm: $0.id, item: item.id)
      }
      try writer.record(step, channels: { _ in [] })
      return try writer.save(
        StoredPushSubscription(
          id: "s", endpoint: "https://push.example.net/x", publicKey: [], secret: [], answerKey: [1],
          owner: .client(user), created: fixture.now))
    }
    let keys = try fixture.store.read { try $0.firings(limit: 2).map(\.firing.key) }
    let (mine, other) = (keys[0], keys[1])
    let token = [
      "Authorization: Bearer \(AnswerToken.make(for: mine, subscription))", "Origin: http://localhost",
      "Host: localhost",
    ]
    func path(_ key: String, _ action: String) -> String {
      "/firings/\(key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")/\(action)"
    }
    #expect(try fixture.ask("POST", path(mine, "snooze"), "{}", headers: token).hasPrefix("200"))
    let later = try #require(try fixture.store.read { try $0.item(item.id) }?.alarms.last)
    #expect(later.trigger == .absolute(fixture.now.adding(seconds: 600)), "\(later.trigger)")
    #expect(try fixture.ask("POST", path(mine, "complete"), "{}", headers: token).hasPrefix("200"))
    #expect(try fixture.store.read { try $0.item(item.id) }?.reminder?.completed != nil)
    #expect(try fixture.ask("POST", path(other, "complete"), "{}", headers: token).hasPrefix("403"))
    for get in ["/items", "/firings", "/session", "/push", "/lists"] {
      #expect(try fixture.ask("GET", get, headers: token).hasPrefix("403"), "\(get)")
    }
    #expect(try fixture.ask("POST", "/items", #"{"text":"x"}"#, headers: token).hasPrefix("403"))
    let foreign = [token[0], "Origin: https://evil.example", "Host: localhost"]
    #expect(try fixture.ask("POST", path(mine, "acknowledge"), "{}", headers: foreign).hasPrefix("403"))
    // A notification of a client that may only read, as if it had lost a right since.
    let limited = try fixture.store.write { writer in
      try writer.save(
        StoredPushSubscription(
          id: "r", endpoint: "https://push.example.net/r", publicKey: [], secret: [], answerKey: [2],
          owner: .client(reader), created: fixture.now))
    }
    let weak = ["Authorization: Bearer \(AnswerToken.make(for: mine, limited))", "Host: localhost"]
    #expect(try fixture.ask("POST", path(mine, "acknowledge"), "{}", headers: weak).hasPrefix("401"))
    try fixture.app.clients.revoke("app")
    #expect(try fixture.ask("POST", path(mine, "acknowledge"), "{}", headers: token).hasPrefix("401"))
  }
}
