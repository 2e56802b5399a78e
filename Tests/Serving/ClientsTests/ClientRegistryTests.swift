import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import FencepostWebServer
import Synchronization
import Testing

@testable import FencepostClients

/// A registry over a store in memory, with a clock that a test sets.
private struct Fixture {
  final class Clock: Sendable {
    let now = Mutex(Instant(seconds: 1_777_622_400))
    func pass(days: Double) { now.withLock { $0 = $0.adding(seconds: days * 86_400) } }
  }

  let store: CalendarStore
  let clock = Clock()
  let registry: ClientRegistry

  init() throws {
    store = try CalendarStore()
    registry = ClientRegistry(store: store) { [clock] in clock.now.withLock { $0 } }
  }

  func principal(_ user: String, _ password: String) throws -> Principal? {
    try registry.principal(HTTPCredentials(authorization: "Bearer \(user):\(password)", token: nil))
  }
}

@Suite("Clients")
struct ClientRegistryTests {
  @Test("A client signs in with its own password until it is revoked")
  func client() throws {
    let fixture = try Fixture()
    let (user, password) = try fixture.registry.add("Anna's phone", rights: [.positions, .read])
    #expect(user == "anna-s-phone")
    let principal = try #require(try fixture.principal(user, password))
    #expect(
      principal.name == "Anna's phone" && principal.rights == [.positions, .read] && principal.lists == nil)
    #expect(try fixture.principal(user, password + "x") == nil)
    #expect(try fixture.principal("someone", password) == nil)
    #expect(try fixture.principal(user, "") == nil)
    try fixture.registry.revoke("anna's PHONE")
    #expect(try fixture.principal(user, password) == nil)
    #expect(throws: ClientError.unknown("anna")) { try fixture.registry.revoke("anna") }
  }

  @Test("A name that is the user name of another client is ambiguous until it is said to be a user name")
  func ambiguous() throws {
    let registry = try Fixture().registry
    #expect(try registry.add("Pixel!", rights: [.positions]).user == "pixel")
    #expect(try registry.add("Pixel", rights: [.positions]).user == "pixel-2")
    let error = ClientError.ambiguous("pixel", [["Pixel!", "pixel"], ["Pixel", "pixel-2"]])
    #expect(throws: error) { try registry.revoke("pixel") }
    #expect(
      error.description == "'pixel' may be 'Pixel!' with the user name 'pixel' or 'Pixel' with the user name "
        + "'pixel-2'; give the user name of the one to revoke, with --user-name")
    #expect(throws: ClientError.unknown("pixel!")) { try registry.revoke("pixel!", isUser: true) }
    #expect(try registry.revoke("pixel", isUser: true).name == "Pixel!")
    #expect(try registry.revoke("pixel").name == "Pixel")
  }

  @Test("A renewed client has a new password, and keeps its user name, its lists and its rights")
  func renewal() throws {
    let fixture = try Fixture()
    let lists: [Identifier<ItemCalendar>] = [Identifier(rawValue: "errands")]
    let old = try fixture.registry.add("Phone", rights: [.positions], lists: lists)
    let new = try fixture.registry.renew(" phone", rights: [.positions])
    #expect(new.isRenewed && new.user == old.user && new.password != old.password)
    #expect(try fixture.principal(old.user, old.password) == nil)
    #expect(try fixture.principal(new.user, new.password)?.lists == ["errands"])
    #expect(throws: ClientError.otherRights("Phone")) {
      try fixture.registry.renew("PHONE", rights: [.read, .write])
    }
    #expect(try fixture.principal(new.user, new.password) != nil)
    #expect(try fixture.registry.renew("Watch", rights: [.positions]).isRenewed == false)
  }

  @Test("Names are told apart, and each client has a user name of its own")
  func names() throws {
    let registry = try Fixture().registry
    #expect(try registry.add("Ann", rights: []).user == "ann")
    #expect(try registry.add("ann!", rights: []).user == "ann-2")
    #expect(try registry.add("日本", rights: []).user == "client")
    #expect(throws: ClientError.nameTaken("ANN")) { try registry.add("ANN", rights: []) }
    for name in ["", "  ", "a\nb", String(repeating: "x", count: 101)] {
      #expect(throws: ClientError.invalidName) { try registry.add(name, rights: []) }
    }
  }

  @Test("Only some lists, or none, are not all")
  func lists() throws {
    let fixture = try Fixture()
    for (index, lists) in [[], ["A", "B"]].enumerated() {
      let (user, password) = try fixture.registry.add(
        "client \(index)", rights: [.read], lists: lists.map { Identifier<ItemCalendar>(rawValue: $0) })
      #expect(try fixture.principal(user, password)?.lists == Set(lists))
    }
  }

  @Test("A session lasts as long as it is used")
  func session() throws {
    let fixture = try Fixture()
    let key = try fixture.registry.beginSession(browser: "Browser/1\u{1B}[0m")
    for _ in 0..<3 {
      fixture.clock.pass(days: 29)
      let now = fixture.clock.now.withLock { $0 }
      #expect(try fixture.registry.principal(sessionKey: key)?.rights == Set(Right.allCases))
      // A use is noted on a thread of its own.
      #expect(try eventually { try fixture.store.read { try $0.webSessions() }.first?.used == now })
    }
    #expect(try fixture.registry.principal(sessionKey: key + "x") == nil)
    fixture.clock.pass(days: 31)
    #expect(try fixture.registry.principal(sessionKey: key) == nil)
    let next = try fixture.registry.beginSession(browser: "Browser/2")
    // The old one is gone from the store.
    #expect(try fixture.store.read { try $0.webSessions() }.map(\.browser) == ["Browser/2"])
    guard case .session(let digest) = try fixture.registry.principal(sessionKey: next)?.way else {
      Issue.record("no session")
      return
    }
    try fixture.registry.endSession(digest)
    #expect(try fixture.registry.principal(sessionKey: next) == nil)
  }

  @Test("The owner's password is checked, and changing it signs browsers out")
  func password() throws {
    let fixture = try Fixture()
    #expect(try !fixture.registry.hasPassword() && !fixture.registry.isPassword(""))
    #expect(throws: ClientError.weakPassword) { try fixture.registry.setPassword("123456789") }
    let key = try fixture.registry.beginSession(browser: "")
    try fixture.registry.setPassword("1234567890")
    #expect(try fixture.registry.isPassword("1234567890"))
    #expect(try !fixture.registry.isPassword("1234567891"))
    #expect(try fixture.registry.principal(sessionKey: key) == nil)
  }

  @Test("A one-time key works once, and not for long")
  func keys() {
    let keys = OneTimeKeys<Int>()
    let now = Instant(seconds: 1_777_622_400)
    let (first, expires) = keys.make(1, at: now)
    let (second, _) = keys.make(2, at: now)
    #expect(expires == now.adding(seconds: 60))
    #expect(keys.redeem("x", at: now) == nil)
    #expect(keys.redeem(first, at: now) == 1)
    #expect(keys.redeem(first, at: now) == nil)
    #expect(keys.redeem(second, at: now.adding(seconds: 60)) == nil)
  }
}
