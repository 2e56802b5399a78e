import FencepostCalDAVClient
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostOAuth
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostSynchronizer

@Suite struct OAuthAccountTests {
  let authority: AuthorizationStandIn
  let server: LoopbackServer
  let directory: TemporaryDirectory
  let store: CalendarStore
  let tokens: OAuthTokens

  init() throws {
    let authority = try AuthorizationStandIn()
    self.authority = authority
    server = try LoopbackServer { request in
      guard request.headers["authorization"] == "Bearer \(authority.accessToken)" else {
        return LoopbackServer.Response(status: 401, headers: ["WWW-Authenticate": "Bearer"])
      }
      return LoopbackServer.Response(
        status: 207,
        body: Array(
          """
          <x:multistatus xmlns:x="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><x:response><x:href>/</x:href><x:propstat>\
          <x:prop><c:calendar-home-set><x:href>/home/</x:href></c:calendar-home-set></x:prop>\
          <x:status>HTTP/1.1 200 OK</x:status></x:propstat></x:response></x:multistatus>
          """.utf8))
    }
    directory = try TemporaryDirectory()
    store = try CalendarStore(path: directory.path("calendar.sqlite"))
    let session = try OAuthSession { Self.now }
    tokens = try session.signInElsewhere(
      at: session.server(authority.issuer),
      client: OAuthClient(id: AuthorizationStandIn.client.id, secret: AuthorizationStandIn.client.secret),
      scope: "calendars", sleep: { _ in }, show: { _ in })
  }

  private static let now = Instant(seconds: 1_800_000_000)

  /// The accounts as another program sees them.
  private func keeper() -> AccountSynchronizer { AccountSynchronizer(store: store, clock: { Self.now }) }

  private func add(_ keeper: AccountSynchronizer) throws -> SyncAccount {
    try keeper.add(server.address("/"), user: nil, password: nil, tokens: tokens)
  }

  private func account() throws -> SyncAccount {
    try #require(try store.read { try $0.syncAccounts() }.first)
  }

  @Test func theSignInIsKeptBesideTheStoreAndTheTokenInMemory() throws {
    let keeper = self.keeper()
    let account = try add(keeper)
    _ = try keeper.synchronize(account, at: Self.now)
    #expect(authority.issued == 1)
    let text = try String(contentsOfFile: store.path + ".secrets", encoding: .utf8)
    #expect(text.hasPrefix("\(account.number) oauth ") && !text.contains("access-1"))
    // Another program has no access token, and the server replaces the refresh token.
    _ = try self.keeper().synchronize(account, at: Self.now)
    _ = try self.keeper().synchronize(account, at: Self.now)
    #expect(authority.issued == 3)
    #expect(try self.account().failure == nil)
  }

  @Test func aTokenIsReplacedBeforeItEndsAndAfterItWasRefused() throws {
    let keeper = self.keeper()
    let account = try add(keeper)
    // Somebody else's use makes the known one invalid.
    _ = try self.keeper().synchronize(account, at: Self.now)
    #expect(authority.issued == 2)
    authority.setLifetime(30)
    _ = try keeper.synchronize(account, at: Self.now)
    let issued = authority.issued
    #expect(issued >= 3)
    // It would end too soon.
    let before = server.requests.count
    _ = try keeper.synchronize(account, at: Self.now)
    #expect(authority.issued > issued)
    #expect(server.requests[before...].allSatisfy { $0.headers["authorization"] != "Bearer access-3" })
  }

  @Test func aRefusedRefreshIsShownWithWhatToDo() throws {
    let account = try add(keeper())
    authority.revoke()
    let keeper = self.keeper()
    #expect(throws: SyncFailure.self) { try keeper.synchronize(account, at: Self.now) }
    let failure = try #require(try self.account().failure)
    #expect(failure.contains("invalid_grant") && failure.contains("fencepost accounts sign-in"))
    #expect(!failure.contains("refresh-") && !failure.contains("access-"))
    let again = try OAuthSession { Self.now }.signInElsewhere(
      at: tokens.grant.server, client: tokens.grant.client, scope: "calendars", sleep: { _ in },
      show: { _ in })
    try keeper.signIn(account, tokens: again)
    #expect(try self.account().failure == nil)
    _ = try keeper.synchronize(self.account(), at: Self.now)
  }

  @Test func aTokenGoesToItsHostAlone() throws {
    let other = try LoopbackServer { _ in LoopbackServer.Response(status: 404) }
    let target = other.address("/")
    let moved = try LoopbackServer { _ in
      LoopbackServer.Response(status: 302, headers: ["Location": target])
    }
    #expect(throws: DAVFailure.self) {
      try keeper().add(moved.address("/"), user: nil, password: nil, tokens: tokens)
    }
    #expect(moved.requests.allSatisfy { $0.headers["authorization"] != nil })
    #expect(!other.requests.isEmpty && other.requests.allSatisfy { $0.headers["authorization"] == nil })
    #expect(throws: SyncFailure.self) {
      try keeper().add("http://cal.example.org/", user: nil, password: nil, tokens: tokens)
    }
  }
}
