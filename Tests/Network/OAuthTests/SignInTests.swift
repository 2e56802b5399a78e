import FencepostSpatiotemporal
import FencepostTestSupport
import FencepostWebClient
import Foundation
import Synchronization
import Testing

@testable import FencepostOAuth

@Suite struct SignInTests {
  let server: AuthorizationStandIn
  let client: OAuthClient
  let now = Instant(seconds: 1_800_000_000)

  init() throws {
    server = try AuthorizationStandIn()
    client = try OAuthClient(id: AuthorizationStandIn.client.id, secret: AuthorizationStandIn.client.secret)
  }

  private func session() throws -> OAuthSession { try OAuthSession { now } }

  /// What a browser sends when it is sent to an address, and the status of the answer.
  private static func visit(_ address: String, _ headers: [String] = [], method: String = "GET") throws -> Int
  {
    var request = HTTPClient.Request(url: address, headers: headers)
    request.method = method
    request.limit = 4_096
    return try HTTPClient().send(request).status
  }

  // MARK: With a browser

  @Test(arguments: [true, false]) func aBrowserSignsIn(takesSecretInBody: Bool) throws {
    let server = try AuthorizationStandIn(takesSecretInBody: takesSecretInBody)
    let session = try session()
    let found = try session.server(server.issuer)
    #expect(found.takesSecretInBody == takesSecretInBody)
    let tokens = try session.signIn(at: found, client: client, scope: "calendars") { address in
      Thread.detachNewThread {
        _ = try? Self.visit(
          server.agree(at: address), ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"])
      }
    }
    #expect(tokens.access.text == server.accessToken)
    #expect(tokens.access.isFresh(at: now.adding(seconds: 3_500)))
    #expect(!tokens.access.isFresh(at: now.adding(seconds: 3_550)))
    #expect(tokens.grant.refreshToken == "refresh-1")
  }

  @Test func aForeignPageCanNeitherBringACodeNorEndTheSignIn() throws {
    let session = try session()
    let found = try session.server(server.issuer)
    let statuses = Mutex<[Int]>([])
    let server = server
    let tokens = try session.signIn(at: found, client: client, scope: "calendars") { address in
      Thread.detachNewThread {
        guard let right = try? server.agree(at: address), let base = right.split(separator: "?").first else {
          return
        }
        let port = base.split(separator: ":").last?.prefix { $0 != "/" } ?? ""
        let wrong: [(String, [String], String)] = [
          ("\(base)?code=evil", [], "GET"), ("\(base)?state=guess&code=evil", [], "GET"),
          ("\(right)&state=guess", [], "GET"), ("\(base)?state=guess&error=access_denied", [], "GET"),
          (right, ["Origin: https://evil.example"], "GET"), (right, ["Sec-Fetch-Mode: no-cors"], "GET"),
          (right, ["Sec-Fetch-Dest: iframe"], "GET"), (right, ["Host: evil.example:\(port)"], "GET"),
          (right, [], "PUT"), (right.replacingOccurrences(of: "/?", with: "/other?"), [], "GET"),
        ]
        for (address, headers, method) in wrong {
          let status = (try? Self.visit(address, headers, method: method)) ?? 0
          statuses.withLock { $0.append(status) }
        }
        _ = try? Self.visit(right)
      }
    }
    #expect(tokens.access.text == "access-1")
    #expect(statuses.withLock { $0 } == [400, 400, 400, 400] + Array(repeating: 404, count: 6))
  }

  @Test func aDeclinedSignInFails() throws {
    let session = try session()
    let found = try session.server(server.issuer)
    let failure = try #require(
      throws: OAuthFailure.self,
      performing: {
        try session.signIn(at: found, client: client, scope: "calendars") { address in
          let state = URLComponents(string: address)?.queryItems?.first { $0.name == "state" }?.value ?? ""
          let redirect = URLComponents(string: address)?.queryItems?.first { $0.name == "redirect_uri" }?
            .value
          Thread.detachNewThread {
            _ = try? Self.visit("\(redirect ?? "")?error=access_denied&state=\(state)")
          }
        }
      })
    #expect(failure.kind == .refused)
    #expect(failure.description == "the sign-in was declined")
  }

  @Test func aSignInThatIsForgottenEnds() throws {
    let session = try session()
    let found = try session.server(server.issuer)
    let failure = try #require(
      throws: OAuthFailure.self,
      performing: {
        try session.signIn(at: found, client: client, scope: "calendars", seconds: 0.05) { _ in }
      })
    #expect(failure.kind == .expired)
  }

  @Test func aServerWithoutLastingPermissionIsRefused() throws {
    server.giveNoRefreshTokens()
    let session = try session()
    let found = try session.server(server.issuer)
    let failure = #expect(throws: OAuthFailure.self) {
      try session.signInElsewhere(at: found, client: client, scope: "calendars", sleep: { _ in }) { _ in }
    }
    #expect(failure?.description.contains("offline_access") == true)
  }

  // MARK: On another device

  @Test func aUserSignsInOnAnotherDevice() throws {
    server.poll(["authorization_pending", "slow_down", "authorization_pending"])
    let session = try session()
    var pauses: [Double] = []
    var shown: [String] = []
    let tokens = try session.signInElsewhere(
      at: session.server(server.issuer), client: client, scope: "calendars", sleep: { pauses.append($0) }
    ) { shown += [$0.userCode, $0.address] }
    #expect(shown == ["ABCD-EFGH", server.issuer + "/enter"])
    #expect(pauses == [5, 5, 10, 10])
    #expect(tokens.access.text == "access-1")
  }

  @Test(arguments: [("access_denied", OAuthFailure.Kind.refused), ("expired_token", .expired)])
  func aSignInOnAnotherDeviceMayFail(code: String, kind: OAuthFailure.Kind) throws {
    server.poll(["authorization_pending", code])
    let session = try session()
    let found = try session.server(server.issuer)
    let failure = #expect(throws: OAuthFailure.self) {
      try session.signInElsewhere(at: found, client: client, scope: "calendars", sleep: { _ in }) { _ in }
    }
    #expect(failure?.kind == kind)
  }

  @Test func aCodeThatHasExpiredIsNotAskedForAgain() throws {
    server.poll(Array(repeating: "authorization_pending", count: 1_000))
    var now = now
    let session = try OAuthSession { now }
    let found = try session.server(server.issuer)
    let failure = #expect(throws: OAuthFailure.self) {
      try session.signInElsewhere(
        at: found, client: client, scope: "calendars", sleep: { now = now.adding(seconds: $0) }
      ) { _ in }
    }
    #expect(failure?.kind == .expired)
    #expect(server.requests.filter { $0.path == "/token" }.count == 119)
  }

  // MARK: Refreshing

  @Test func aRefreshTokenIsReplacedAndMayBeRefused() throws {
    let session = try session()
    let found = try session.server(server.issuer)
    let grant = OAuthGrant(server: found, client: client, scope: "calendars", refreshToken: "refresh-0")
    let tokens = try session.refresh(grant)
    #expect(tokens.grant.refreshToken == "refresh-1")
    #expect(try session.refresh(tokens.grant).access.text == "access-2")
    let failure = #expect(throws: OAuthFailure.self) { try session.refresh(grant) }
    #expect(failure?.kind == .ended)
    #expect(failure?.description.contains("refresh-0") == false)
  }

  @Test(arguments: [
    (LoopbackServer.Response.text("<html>Sign in</html>"), OAuthFailure.Kind.unreadable),
    (LoopbackServer.Response(status: 503), .later),
    (LoopbackServer.Response(status: 302, headers: ["Location": "/token"]), .refused),
    (.text("{\"access_token\":\"a\\r\\nX: y\",\"token_type\":\"bearer\"}"), .unreadable),
    (.text("{\"access_token\":\"a\",\"token_type\":\"mac\"}"), .unreadable), (.text("[]"), .unreadable),
    (.text("{\"error\":\"temporarily_unavailable\"}"), .later),
  ])
  func otherAnswersAreFailures(answer: LoopbackServer.Response, kind: OAuthFailure.Kind) throws {
    let session = try session()
    let grant = OAuthGrant(
      server: try session.server(server.issuer), client: client, scope: "calendars", refreshToken: "refresh-0"
    )
    server.fail(with: answer)
    let failure = #expect(throws: OAuthFailure.self) { try session.refresh(grant) }
    #expect(failure?.kind == kind)
  }
}
