import FencepostJSON
import FencepostSpatiotemporal
import FencepostWebServer
import Testing

@testable import FencepostOAuth

@Suite struct OAuthValueTests {
  private let now = Instant(seconds: 1_800_000_000)

  @Test func challengeIsThatOfTheStandard() {
    // RFC 7636, appendix B.
    let challenge = CodeRequest.challenge(of: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func metadataAreLookedForWhereTheStandardsSay() throws {
    #expect(
      try AuthorizationServer.metadataAddresses(of: "https://login.example.org/realms/home") == [
        "https://login.example.org/.well-known/oauth-authorization-server/realms/home",
        "https://login.example.org/realms/home/.well-known/openid-configuration",
      ])
    #expect(
      try AuthorizationServer.metadataAddresses(of: "http://[::1]:8080/").first
        == "http://[::1]:8080/.well-known/oauth-authorization-server")
    for issuer in [
      "login.example.org", "http://login.example.org", "https://a:b@c.example", "https://", "https://a?b",
    ] {
      #expect(throws: OAuthFailure.self) { try AuthorizationServer.metadataAddresses(of: issuer) }
    }
  }

  @Test(arguments: [
    "{\"issuer\":\"https://other.example\",\"token_endpoint\":\"https://a.example/token\"}",
    "{\"issuer\":\"https://a.example\"}",
    "{\"issuer\":\"https://a.example\",\"token_endpoint\":\"http://a.example/token\"}",
    "{\"issuer\":\"https://a.example\",\"token_endpoint\":\"http://127.0.0.1/token\"}", "<html>", "[]", "",
  ])
  func wrongMetadataAreRefused(text: String) {
    #expect(throws: OAuthFailure.self) {
      try AuthorizationServer(metadata: Array(text.utf8), of: "https://a.example")
    }
  }

  @Test func aSlashAtTheEndOfAnIssuerIsTheSame() throws {
    let text = "{\"issuer\":\"https://a.example/\",\"token_endpoint\":\"https://a.example/token\"}"
    let server = try AuthorizationServer(metadata: Array(text.utf8), of: "https://a.example")
    #expect(server.issuer == "https://a.example/")
    #expect(server.deviceEndpoint == nil)
  }

  @Test func googleIsKnown() throws {
    let known = try #require(
      AuthorizationServer.known(for: "https://apidata.googleusercontent.com/caldav/v2/a@gmail.com/user"))
    let request = try CodeRequest(
      known.server, client: OAuthClient(id: "id"), scope: known.scope, redirect: "http://127.0.0.1:1/",
      state: "s")
    #expect(
      request.address.hasPrefix(
        "https://accounts.google.com/o/oauth2/v2/auth?response_type=code&client_id=id"))
    #expect(request.address.contains("&access_type=offline&prompt=consent"))
    #expect(AuthorizationServer.known(for: "https://evil.googleusercontent.com/") == nil)
  }

  @Test func anAnswerOfAnotherServerIsRefused() throws {
    let request = try CodeRequest(
      .google, client: OAuthClient(id: "id"), scope: "x", redirect: "http://127.0.0.1:1/", state: "s")
    func fields(_ pairs: [(String, String)]) -> [HTTPHead.Field] {
      pairs.map { HTTPHead.Field(name: $0.0, value: $0.1) }
    }
    let right = [("state", "s"), ("code", "c")]
    #expect(try request.code(in: fields(right)) == "c")
    #expect(try request.code(in: fields(right + [("iss", "https://accounts.google.com")])) == "c")
    #expect(throws: OAuthFailure.self) {
      try request.code(in: fields(right + [("iss", "https://evil.example")]))
    }
    #expect(try request.code(in: fields(right + [("code", "d")])) == nil)
    #expect(try request.code(in: fields([("code", "c")])) == nil)
  }

  @Test func aGrantIsReadAsItWasWrittenAndShowsNoSecret() throws {
    let grant = OAuthGrant(
      server: .google, client: try OAuthClient(id: "id", secret: "s\"ecret"), scope: "x y",
      refreshToken: "hidden")
    #expect(OAuthGrant(text: grant.text) == grant)
    #expect("\(grant)" == "a grant of https://accounts.google.com")
    #expect(!String(reflecting: grant).contains("hidden"))
    for text in ["", "{}", "password", "{\"refresh_token\":\"a\"}"] { #expect(OAuthGrant(text: text) == nil) }
  }

  @Test func numbersOfADeviceAnswerAreBounded() throws {
    func device(_ more: String) throws -> DeviceAuthorization {
      let text =
        "{\"device_code\":\"d\",\"user_code\":\"u\",\"verification_uri\":\"https://a.example/enter\"\(more)}"
      return try DeviceAuthorization(JSONValue(reading: Array(text.utf8), maxDepth: 4), at: now, plain: false)
    }
    #expect(try device("").interval == 5)
    #expect(try device(",\"interval\":-1,\"expires_in\":1e18").interval == 1)
    #expect(try device(",\"expires_in\":1e18").expires == now.adding(seconds: 1_800))
    #expect(try device(",\"interval\":1e9").interval == 120)
    #expect(try device(",\"verification_uri_complete\":\"javascript:1\"").completeAddress == nil)
  }

  @Test(arguments: ["", "a\nb", "é"]) func aClientIsOneLine(id: String) {
    #expect(throws: OAuthFailure.self) { try OAuthClient(id: id) }
  }
}
