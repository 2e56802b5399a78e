import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCryptography
import FencepostTestSupport
import FencepostWebServer
import Testing

@testable import FencepostClients

@Suite("Push subscriptions")
struct PushSubscriptionTests {
  private let store: CalendarStore
  private let registry: ClientRegistry

  init() throws {
    store = try CalendarStore()
    registry = ClientRegistry(store: store) { Instant(seconds: 1_777_622_400) }
  }

  private func session() throws -> Principal {
    let key = try registry.beginSession(browser: "test")
    return try #require(try registry.principal(sessionKey: key))
  }

  private func subscribe(_ principal: Principal, _ endpoint: String) throws -> StoredPushSubscription {
    try registry.subscribe(
      principal, endpoint: endpoint, publicKey: EllipticKey().publicKey, secret: Secret.random(16))
  }

  private func ids() throws -> [String] { try store.read { try $0.pushSubscriptions().map(\.id) } }

  @Test("The key of the server is made once")
  func key() throws {
    let key = try registry.pushKey()
    #expect(try registry.pushKey() == key)
    #expect(try ClientRegistry(store: store) { .epoch }.pushKey() == key)
  }

  @Test("A session has one subscription, which ends with it")
  func sessions() throws {
    let session = try session()
    let first = try subscribe(session, "https://push.example/1")
    #expect(try subscribe(session, "https://push.example/1").id == first.id)
    let second = try subscribe(session, "https://push.example/2")
    #expect(try ids() == [second.id])
    guard case .session(let digest) = session.way else { return }
    let before = try store.read { try $0.lastChange() }
    try registry.endSession(digest)
    #expect(try ids() == [])
    // The daemon learns of it by the log of changes.
    #expect(try store.read { try $0.lastChange() } > before)
    #expect(throws: StoreError.self) { try subscribe(session, "https://push.example/3") }
  }

  @Test("A browser that signs in again keeps its subscription, and one that stays closed does too")
  func moves() throws {
    let first = try subscribe(try session(), "https://push.example/1")
    let later = ClientRegistry(store: store) { Instant(seconds: 1_777_622_400 + 40 * 86_400) }
    let key = try later.beginSession(browser: "again")
    #expect(try ids() == [first.id])
    let principal = try #require(try later.principal(sessionKey: key))
    let moved = try later.subscribe(
      principal, endpoint: first.endpoint, publicKey: first.publicKey, secret: first.secret)
    #expect(moved.id == first.id)
    _ = try later.beginSession(browser: "third")
    #expect(try store.read { try $0.webSessions().count } == 2)
    #expect(try ids() == [first.id])
  }

  @Test("A client has at most twenty, and they end with it")
  func clients() throws {
    let (user, password) = try registry.add("app", rights: [.read])
    let client = try #require(
      try registry.principal(HTTPCredentials(authorization: "Bearer \(user):\(password)", token: nil)))
    for number in 1...20 { _ = try subscribe(client, "https://push.example/\(number)") }
    #expect(throws: ClientError.tooManySubscriptions) { try subscribe(client, "https://push.example/21") }
    _ = try subscribe(client, "https://push.example/20")
    #expect(try registry.pushSubscriptions(of: client).count == 20)
    #expect(try registry.pushSubscriptions(of: try session()).isEmpty)
    try registry.revoke("app")
    #expect(try ids() == [])
  }

  @Test("What waits for a subscription that has ended counts as failed")
  func deliveries() throws {
    let subscription = try subscribe(try session(), "https://push.example/1")
    try store.write { writer in
      let list = try writer.defaultCalendar(for: .reminders)
      var item = CalendarItem(calendar: list.id, title: "A", details: .reminder(ReminderDetails()))
      item.alarms = [Alarm(trigger: .absolute(.epoch))]
      try writer.save(item)
      var step = LedgerStep()
      step.firings = [Firing(kind: .absolute, time: .epoch, alarm: item.alarms[0].id, item: item.id)]
      try writer.record(step, channels: { _ in ["webpush:\(subscription.id)", "-"] })
    }
    #expect(try store.read { try $0.pendingDeliveryCounts().count } == 2)
    #expect(try store.write { try $0.removePushSubscription(subscription.id) })
    #expect(try store.read { try $0.pendingDeliveryCounts() } == ["-": 1])
    #expect(try !store.write { try $0.removePushSubscription(subscription.id) })
  }

  @Test("A token answers its alarm alone, until the subscription ends")
  func tokens() throws {
    let subscription = try subscribe(try session(), "https://push.example/1")
    let other = try subscribe(try session(), "https://push.example/2")
    let token = AnswerToken.make(for: "alarm/1 – ü", subscription)
    func principal(_ token: String) throws -> Principal? {
      try registry.principal(HTTPCredentials(authorization: "Bearer \(token)", token: nil))
    }
    let known = try #require(try principal(token))
    #expect(known.way == .answer("alarm/1 – ü", revision: nil) && known.rights.isEmpty)
    #expect(try !registry.isCurrent(known))
    let parts = token.split(separator: ".").map(String.init)
    for (index, changed) in [
      (1, other.id), (2, Base64URL.encode(Array("alarm/2".utf8))),
      (3, parts[3].reversed().map(String.init).joined()),
      (3, ""), (2, "?"),
    ] {
      var wrong = parts
      wrong[index] = changed
      #expect(try principal(wrong.joined(separator: ".")) == nil)
    }
    for wrong in ["answer.", "answer.a.b.c", "answer....", token + ".x"] {
      #expect(try principal(wrong) == nil)
    }
    // A suggestion's is of one content.
    let bound = AnswerToken.make(for: "s", revision: "r1", subscription)
    #expect(try principal(bound)?.way == .answer("s", revision: "r1"))
    var changed = bound.split(separator: ".").map(String.init)
    changed[3] = Base64URL.encode(Array("r2".utf8))
    #expect(try principal(changed.joined(separator: ".")) == nil)
    changed.remove(at: 3)
    #expect(try principal(changed.joined(separator: ".")) == nil)
    _ = try store.write { try $0.removePushSubscription(subscription.id) }
    #expect(try principal(token) == nil)
  }
}
