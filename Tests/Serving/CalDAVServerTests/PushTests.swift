import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostCryptography
import FencepostTestSupport
import FencepostWebPush
import FencepostWebServer
import FencepostXML
import Synchronization
import Testing

@testable import FencepostCalDAVServer

@Suite("Pushes of changes (WebDAV-Push)")
struct PushTests {
  /// An account, and a push service with a receiver behind it.
  private final class Setup {
    let service: PushService
    let fixture: CalDAVFixture
    let pusher: ChangePusher
    private let clock = Clock()

    private final class Clock: Sendable {
      let now = Mutex(CalDAVFixture.now)
    }

    init(answer: @escaping @Sendable (Int) -> HTTPResponse = { _ in HTTPResponse(status: 201) }) throws {
      service = try PushService(answer: answer)
      let reach = PushReach(allowedHosts: [service.host])
      fixture = try CalDAVFixture(pushReach: reach)
      pusher = try ChangePusher(store: fixture.store, contact: nil, reach: reach) { [clock] in
        clock.now.withLock { $0 }
      }
    }

    /// Sends what there is to tell, some time after the last round.
    @discardableResult
    func push(after seconds: Double = 10) throws -> Instant? {
      clock.now.withLock { $0 = $0.adding(seconds: seconds) }
      return try pusher.push()
    }

    /// As DAVx⁵ registers.
    func registration(expires: String? = nil, trigger: String = "") -> String {
      """
      <?xml version='1.0' encoding='UTF-8' standalone='yes' ?><push-register xmlns="https://bitfire.at/webdav-push">\
      <subscription><web-push-subscription><push-resource>\(service.endpoint)</push-resource>\
      <subscription-public-key type="p256dh">\(Base64URL.encode(service.key.publicKey))</subscription-public-key>\
      <auth-secret>\(Base64URL.encode(service.secret))</auth-secret></web-push-subscription></subscription>\
      \(trigger)\(expires.map { "<expires>\($0)</expires>" } ?? "")</push-register>
      """
    }

    func register(_ path: String, _ body: String) throws -> CalDAVFixture.Answer {
      try fixture.ask("POST", path, body.utf8, ["Content-Type: application/xml; charset=utf-8"])
    }

    var messages: [ChangeMessage] {
      get throws { try service.messages.map { try ChangeMessage(parsing: Array(($0.content ?? "").utf8)) } }
    }
  }

  private static let both =
    "<trigger><content-update><depth xmlns=\"DAV:\">1</depth></content-update>"
    + "<property-update><depth xmlns=\"DAV:\">0</depth></property-update></trigger>"

  @Test("A list says how it can be subscribed to, and other resources don't")
  func properties() throws {
    let fixture = try CalDAVFixture()
    let names: [XMLName] = [.push("transports"), .push("topic"), .push("supported-triggers")]
    let path = fixture.path(fixture.list)
    let list = try #require(try fixture.propfind(path, names).response(path))
    let key = list.property(.push("transports"))?.first(.push("web-push"))?.first(.push("vapid-public-key"))
    #expect(key?.attribute("type") == "p256ecdsa")
    #expect(EllipticKey.isPublicKey(try #require(Base64URL.decode(key?.text ?? ""))))
    #expect(list.property(.push("supported-triggers"))?.has(.push("content-update")) == true)
    let topic = try #require(list.property(.push("topic"))?.text)
    let other = fixture.path(fixture.calendar)
    #expect(try fixture.propfind(other, names).response(other)?.property(.push("topic"))?.text != topic)
    #expect(topic.utf8.count == 24 && topic.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil)
    let home = try #require(try fixture.propfind(fixture.home, names).response(fixture.home))
    #expect(home.property(.push("topic")) == nil)
    #expect(try fixture.ask("OPTIONS", path).headers["dav"]?.contains("webdav-push") == true)
  }

  @Test("A phone that has registered as DAVx⁵ does hears of a change at once, once, and encrypted")
  func change() throws {
    let setup = try Setup()
    let fixture = setup.fixture
    let path = fixture.path(fixture.list)
    let answer = try setup.register(path, setup.registration(expires: "Mon, 04 May 2026 08:00:00 GMT"))
    #expect(answer.status == 204 && answer.headers["expires"] == "Mon, 04 May 2026 08:00:00 GMT")
    let address = try #require(answer.headers["location"])
    #expect(address.hasPrefix("http://127.0.0.1/dav/push/"))
    try setup.push()
    #expect(setup.service.messages.isEmpty)

    try fixture.store.write { writer in
      try writer.save(
        CalendarItem(
          calendar: fixture.list.id, uid: "a", title: "Milk", details: .reminder(ReminderDetails())))
    }
    try setup.push()
    try setup.push()
    let topic = try fixture.propfind(path, [.push("topic")]).response(path)?.property(.push("topic"))?.text
    #expect(try setup.messages.map(\.topic) == [topic])
    #expect(try setup.messages.map(\.syncToken) == [fixture.sync(path).token])
    let headers = try #require(setup.service.messages.first?.headers)
    #expect(headers["content-type"] == "application/xml; charset=\"UTF-8\"" && headers["ttl"] == "86400")
    #expect(headers["authorization"]?.hasPrefix("vapid t=") == true)

    // Another list, and a property that it did not ask for.
    _ = try fixture.put(fixture.path(fixture.calendar, "e.ics"), Sample.calendar(Sample.event("e")))
    var list = fixture.list
    list.title = "Groceries"
    try fixture.store.write { try $0.save(list) }
    try setup.push()
    #expect(setup.service.messages.count == 1)

    #expect(try fixture.ask("DELETE", String(address.dropFirst("http://127.0.0.1".count))).status == 204)
    _ = try fixture.put(path + "b.ics", Sample.calendar(Sample.todo("b")))
    try setup.push()
    #expect(setup.service.messages.count == 1)
    #expect(try fixture.ask("DELETE", String(address.dropFirst("http://127.0.0.1".count))).status == 404)
  }

  @Test("A client that asks for properties hears of them, and of both in one message")
  func propertyUpdates() throws {
    let setup = try Setup()
    let fixture = setup.fixture
    let path = fixture.path(fixture.list)
    #expect(try setup.register(path, setup.registration(trigger: Self.both)).status == 204)
    var list = fixture.list
    list.title = "Groceries"
    try fixture.store.write { try $0.save(list) }
    try setup.push()
    list.title = "Shopping"
    try fixture.store.write { try $0.save(list) }
    _ = try fixture.put(path + "a.ics", Sample.calendar(Sample.todo("a")))
    try setup.push()
    #expect(try setup.messages.map(\.includesProperties) == [true, true])
    #expect(try setup.messages.map { $0.syncToken != nil } == [false, true])
    let topics = setup.service.messages.map { $0.headers["topic"] ?? "" }
    #expect(Set(topics).count == 2 && topics.allSatisfy { $0.utf8.count <= 32 })
  }

  @Test(
    "A client does not hear of its own change if it says so, but of an earlier one that it has not heard of")
  func quiet() throws {
    let setup = try Setup()
    let fixture = setup.fixture
    let path = fixture.path(fixture.list)
    let address = try #require(try setup.register(path, setup.registration()).headers["location"])
    let quiet = ["Push-Dont-Notify: \"\(address)\""]
    _ = try fixture.put(path + "a.ics", Sample.calendar(Sample.todo("a")), quiet)
    _ = try fixture.ask("DELETE", path + "a.ics", [], ["Push-Dont-Notify: *"])
    try setup.push()
    #expect(setup.service.messages.isEmpty)
    _ = try fixture.put(path + "b.ics", Sample.calendar(Sample.todo("b")))
    _ = try fixture.put(path + "c.ics", Sample.calendar(Sample.todo("c")), quiet)
    try setup.push()
    #expect(setup.service.messages.count == 1)
  }

  @Test("A service that is down is asked again later, and one that ended the subscription is not")
  func failures() throws {
    let setup = try Setup { count in HTTPResponse(status: [503, 201, 410][min(count, 2)]) }
    let fixture = setup.fixture
    let path = fixture.path(fixture.list)
    #expect(try setup.register(path, setup.registration()).status == 204)
    _ = try fixture.put(path + "a.ics", Sample.calendar(Sample.todo("a")))
    let next = try #require(try setup.push())
    try setup.push()
    #expect(setup.service.messages.count == 1 && next > CalDAVFixture.now.adding(seconds: 60))
    try setup.push(after: 120)
    #expect(setup.service.messages.count == 2)
    _ = try fixture.put(path + "b.ics", Sample.calendar(Sample.todo("b")))
    try setup.push()
    #expect(setup.service.messages.count == 3)
    #expect(try fixture.store.read { try $0.changeSubscriptions() }.isEmpty)
  }

  @Test(
    "A subscription is registered once, holds at most a month, and ends then, with its client, and without its list"
  )
  func lifetime() throws {
    let setup = try Setup()
    let fixture = setup.fixture
    let path = fixture.path(fixture.list)
    let first = try setup.register(path, setup.registration(expires: "Fri, 01 May 2099 08:00:00 GMT"))
    let second = try setup.register(path, setup.registration(expires: "soon"))
    #expect(first.headers["location"] == second.headers["location"])
    #expect(first.headers["expires"] == "Sun, 31 May 2026 08:00:00 GMT")
    #expect(second.headers["expires"] == "Fri, 08 May 2026 08:00:00 GMT")
    _ = try fixture.put(path + "a.ics", Sample.calendar(Sample.todo("a")))
    try setup.push(after: 8 * 86_400)
    #expect(setup.service.messages.isEmpty)
    #expect(try fixture.store.read { try $0.changeSubscriptions() }.isEmpty)

    _ = try setup.register(path, setup.registration(expires: "Fri, 01 May 2099 08:00:00 GMT"))
    try fixture.clients.revoke(fixture.user)
    #expect(try fixture.store.read { try $0.changeSubscriptions() }.isEmpty)
  }

  @Test("What can't be registered is refused by its condition")
  func refusals() throws {
    let setup = try Setup()
    let fixture = setup.fixture
    let path = fixture.path(fixture.list)
    func condition(_ path: String, _ body: String) throws -> XMLName? {
      let answer = try setup.register(path, body)
      #expect(answer.status == 403)
      return answer.conditions.first
    }
    let good = setup.registration()
    #expect(try condition(fixture.home, good) == .push("push-not-available"))
    #expect(try condition(path, setup.registration(trigger: "<trigger/>")) == .push("no-supported-trigger"))
    for bad in [
      good.replacing(setup.service.endpoint, with: "https://10.0.0.1/x"),
      good.replacing("p256dh", with: "other"),
      good.replacing(/<auth-secret>.*?<\/auth-secret>/, with: ""),
      good.replacing(/<subscription>.*<\/subscription>/, with: ""),
    ] {
      #expect(try condition(path, bad) == .push("invalid-subscription"))
    }
    #expect(try setup.register(path, "<x/>").status == 400)
    #expect(try setup.register(fixture.home + "none/", good).status == 404)
    let address = try #require(try setup.register(path, good).headers["location"])
    try fixture.signIn("Other")
    #expect(try fixture.ask("DELETE", String(address.dropFirst("http://127.0.0.1".count))).status == 404)
    try fixture.signIn("Reader", rights: [.read])
    #expect(try setup.register(fixture.path(fixture.calendar), good).status == 204)
  }
}
