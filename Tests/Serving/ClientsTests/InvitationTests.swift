import FencepostCalendarModel
import FencepostCalendarStore
import FencepostWebServer
import Synchronization
import Testing

@testable import FencepostClients

@Suite("Invitations")
struct InvitationTests {
  private final class Clock: Sendable {
    let now = Mutex(Instant(seconds: 1_777_622_400))
    func pass(days: Double) { now.withLock { $0 = $0.adding(seconds: days * 86_400) } }
  }

  private let clock = Clock()
  private let store: CalendarStore
  private let registry: ClientRegistry
  private let list: Identifier<ItemCalendar>

  init() throws {
    store = try CalendarStore()
    registry = ClientRegistry(store: store) { [clock] in clock.now.withLock { $0 } }
    list = try store.write { try $0.defaultCalendar(for: .reminders).id }
  }

  /// Who is signed in by the session of a guest.
  private func signedIn(_ guest: ClientRegistry.Guest) throws -> Principal {
    let key = try #require(guest.sessionKey)
    return try #require(try registry.principal(sessionKey: key))
  }

  @Test("Whoever opens the link first is signed in by the given name, with the rights of that list alone")
  func accepted() throws {
    let (_, key) = try registry.invite(to: list, rights: [.read, .write])
    // Looking at it, as previews do, does not use it up.
    #expect(try registry.invitedList(key: key).id == list)
    let guest = try registry.accept(key: key, name: " Ana", browser: "Firefox")
    #expect(guest.name == "Ana" && guest.user == "ana" && guest.list.id == list)
    let principal = try signedIn(guest)
    #expect(principal.name == "Ana" && principal.isClient && !principal.isOwner)
    #expect(principal.rights == [.read, .write] && principal.lists == [list.rawValue])
    #expect(try registry.isCurrent(principal))
    #expect(throws: ClientError.endedInvitation) {
      try registry.accept(key: key, name: "Ben", browser: "")
    }
    #expect(try registry.openInvitations().isEmpty)
  }

  @Test("The password signs in another browser, and all of them end when the client is revoked")
  func revokedClient() throws {
    let (_, key) = try registry.invite(to: list, rights: [.read])
    let guest = try registry.accept(key: key, name: "Ana", browser: "")
    let password = try #require(guest.password)
    let other = try #require(try registry.beginSession(browser: "", user: "ana", password: password))
    #expect(try registry.beginSession(browser: "", user: "ana", password: "x") == nil)
    let principal = try #require(try registry.principal(sessionKey: other))
    #expect(principal.rights == [.read])
    try registry.revoke("Ana")
    #expect(try registry.principal(sessionKey: other) == nil)
    #expect(try !registry.isCurrent(principal))
    #expect(try store.read { try $0.webSessions() }.isEmpty)
  }

  @Test(
    "Nobody takes a name that changes of others begin with, or that looks like another",
    arguments: ["web", " Owner", "we\u{200B}b", "a:b", "a:\u{301}", "7", "'", "", "Kitchen"])
  func refusedName(_ name: String) throws {
    let kitchen = ChangeAuthor.client(number: 9, name: "Kitchen")
    let store = try CalendarStore(undoLabel: UndoLabel("add Milk", by: kitchen, at: Instant(seconds: 1)))
    let list = try store.write { writer in
      let list = try writer.defaultCalendar(for: .reminders).id
      try writer.save(CalendarItem(calendar: list, title: "Milk", details: .reminder(ReminderDetails())))
      return list
    }
    let registry = ClientRegistry(store: store) { Instant(seconds: 2) }
    let (_, key) = try registry.invite(to: list, rights: [.read])
    #expect(throws: ClientError.self) { try registry.accept(key: key, name: name, browser: "") }
    // It looks like no command.
    #expect(try registry.accept(key: key, name: " add  'Todo", browser: "").name == "Add 'Todo")
  }

  @Test("A client that may only send positions signs in no browser")
  func phone() throws {
    let (user, password) = try registry.add("Phone", rights: [.positions])
    #expect(try registry.beginSession(browser: "", user: user, password: password) == nil)
    #expect(try !registry.mayAnybodySignIn())
  }

  @Test("An invitation ends with its time, by being revoked, and with its list")
  func ended() throws {
    let (first, firstKey) = try registry.invite(to: list, rights: [.read], days: 1)
    let (second, secondKey) = try registry.invite(to: list, rights: [.read], days: 30)
    #expect(try registry.openInvitations().map(\.id).sorted() == [first.id, second.id].sorted())
    clock.pass(days: 1)
    #expect(try registry.openInvitations().map(\.id) == [second.id])
    try registry.revokeInvitation(second.id)
    #expect(throws: ClientError.unknownInvitation(second.id)) { try registry.revokeInvitation(second.id) }
    let (_, third) = try registry.invite(to: list, rights: [.read])
    try store.write { [list] in _ = try $0.remove(list) }
    for key in [firstKey, secondKey, third, "guess"] {
      #expect(throws: ClientError.endedInvitation) {
        try registry.accept(key: key, name: "Ana", browser: "")
      }
    }
    #expect(try store.read { try $0.clients() }.isEmpty)
  }

  @Test(
    "A name that somebody has, or that labels of changes begin with, uses no invitation up",
    arguments: ["Phone", "web", " Owner", "a: b", "", "\u{7}"])
  func name(_ name: String) throws {
    _ = try registry.add("phone", rights: [.positions])
    let (_, key) = try registry.invite(to: list, rights: [.read])
    #expect(throws: ClientError.self) { try registry.accept(key: key, name: name, browser: "") }
    #expect(try registry.accept(key: key, name: "Ana", browser: "").user == "ana")
  }

  @Test("Somebody who is signed in gets the list beside the others, with the same rights only")
  func secondList() throws {
    let (_, key) = try registry.invite(to: list, rights: [.read])
    let guest = try registry.accept(key: key, name: "Ana", browser: "")
    let principal = try signedIn(guest)
    let source = try store.read { try $0.calendar(list)?.source }
    let trips = ItemCalendar(source: try #require(source), title: "Trips", entities: [.events])
    try store.write { try $0.save(trips) }
    let (_, more) = try registry.invite(to: trips.id, rights: [.read, .write])
    #expect(throws: ClientError.otherRightsThanInvited("Ana")) {
      try registry.accept(key: more, as: principal)
    }
    let (_, same) = try registry.invite(to: trips.id, rights: [.read])
    #expect(try registry.accept(key: same, as: principal).sessionKey == nil)
    let now = try signedIn(guest)
    #expect(now.lists == [list.rawValue, trips.id.rawValue] && now.rights == [.read])
  }

  @Test("Who gets the name of a revoked client is another author, and its password is another one")
  func nameGivenAgain() throws {
    let (user, password) = try registry.add("Ana", rights: [.read, .write])
    func signIn(_ password: String) throws -> Principal? {
      try registry.principal(HTTPCredentials(authorization: "Bearer \(user):\(password)", token: nil))
    }
    let first = try #require(try signIn(password))
    try registry.revoke("Ana")
    #expect(try !registry.isCurrent(first))
    let second = try #require(try signIn(try registry.add("Ana", rights: [.read, .write]).password))
    #expect(first.name == second.name && first.author != second.author)
    #expect(try !registry.isCurrent(first) && registry.isCurrent(second))
    // A new password is no new client.
    let renewed = try #require(try signIn(try registry.renew("Ana", rights: [.read, .write]).password))
    #expect(renewed.author == second.author)
  }
}
