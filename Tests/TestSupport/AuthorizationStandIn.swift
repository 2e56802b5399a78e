import FencepostCryptography
import Foundation
import Synchronization

/// An authorization server on this machine, and the user who signs in there. It refuses whatever is not as it
/// should be.
public final class AuthorizationStandIn: Sendable {
  private struct State {
    var polls: [String] = []
    var codes: [String: (challenge: String, redirect: String)] = [:]
    var refreshToken = "refresh-0"
    var issued = 0
    var failure: LoopbackServer.Response?
    var seconds: Int? = 3_600
    var givesRefreshToken = true
  }

  private final class Box: Sendable {
    let state = Mutex(State())
  }

  /// The client that it knows.
  public static let client = (id: "client 1", secret: "s&cret")
  private let server: LoopbackServer
  private let box: Box

  /// The address that names it.
  public var issuer: String { server.address("") }
  /// The requests so far.
  public var requests: [LoopbackServer.Request] { server.requests }
  /// The number of access tokens that it has issued.
  public var issued: Int { box.state.withLock { $0.issued } }
  /// The access token that it issued last.
  public var accessToken: String { "access-\(issued)" }

  /// - Parameter takesSecretInBody: Whether a client's secret comes in the body; otherwise in the header.
  public init(takesSecretInBody: Bool = true) throws {
    let box = Box()
    self.box = box
    server = try LoopbackServer { request in Self.answer(request, takesSecretInBody, box) }
  }

  /// What the device endpoint's client hears before the user has signed in: error codes.
  public func poll(_ codes: [String]) { box.state.withLock { $0.polls = codes } }

  /// Answers every request to the token endpoint with this.
  public func fail(with answer: LoopbackServer.Response?) { box.state.withLock { $0.failure = answer } }

  /// No longer accepts the sign-in.
  public func revoke() { box.state.withLock { $0.refreshToken = "revoked" } }

  /// How long tokens are valid from now on, in seconds; `nil` to say nothing.
  public func setLifetime(_ seconds: Int?) { box.state.withLock { $0.seconds = seconds } }

  /// Gives no refresh tokens.
  public func giveNoRefreshTokens() { box.state.withLock { $0.givesRefreshToken = false } }

  /// What a browser does with the address of the sign-in page, once the user has agreed.
  ///
  /// - Returns: The address that it is sent to.
  public func agree(at address: String) throws -> String {
    guard let fields = URLComponents(string: address)?.queryItems else { throw URLError(.badURL) }
    func value(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
    guard value("response_type") == "code", value("client_id") == Self.client.id,
      value("code_challenge_method") == "S256", value("scope") == "calendars"
    else { throw URLError(.badURL) }
    let redirect = value("redirect_uri")
    box.state.withLock { $0.codes["code-1"] = (value("code_challenge"), redirect) }
    return "\(redirect)?state=\(value("state"))&code=code-1"
  }

  private static func answer(
    _ request: LoopbackServer.Request, _ takesSecretInBody: Bool, _ box: Box
  ) -> LoopbackServer.Response {
    let own = "http://\(request.headers["host"] ?? "")"
    let form = URLComponents(string: "?" + String(decoding: request.body, as: UTF8.self))?.queryItems ?? []
    func value(_ name: String) -> String? { form.first { $0.name == name }?.value }
    func isKnown() -> Bool {
      guard value("client_id") == client.id else { return false }
      if takesSecretInBody { return value("client_secret") == client.secret }
      let basic = "Basic " + Data("client%201:s%26cret".utf8).base64EncodedString()
      return request.headers["authorization"] == basic && value("client_secret") == nil
    }
    switch (request.method, request.path) {
    case ("GET", "/.well-known/oauth-authorization-server"):
      let methods = takesSecretInBody ? "[\"client_secret_post\"]" : "[\"client_secret_basic\"]"
      return .text(
        """
        {"issuer":"\(own)","authorization_endpoint":"\(own)/authorize","token_endpoint":"\(own)/token",\
        "device_authorization_endpoint":"\(own)/device","token_endpoint_auth_methods_supported":\(methods)}
        """)
    case ("POST", "/device"):
      guard isKnown(), value("scope") == "calendars" else { return error("invalid_client") }
      return .text(
        """
        {"device_code":"device-1","user_code":"ABCD-EFGH","verification_url":"\(own)/enter","expires_in":600,"interval":5}
        """)
    case ("POST", "/token"):
      guard isKnown() else { return error("invalid_client") }
      return box.state.withLock { state in
        if let failure = state.failure { return failure }
        switch value("grant_type") {
        case "urn:ietf:params:oauth:grant-type:device_code":
          guard value("device_code") == "device-1" else { return error("invalid_grant") }
          if !state.polls.isEmpty { return error(state.polls.removeFirst()) }
        case "authorization_code":
          // A code works once.
          guard let known = state.codes.removeValue(forKey: value("code") ?? ""),
            value("redirect_uri") == known.redirect,
            Base64URL.encode(MessageDigest.sha256(Array((value("code_verifier") ?? "").utf8)))
              == known.challenge
          else { return error("invalid_grant") }
        case "refresh_token":
          guard value("refresh_token") == state.refreshToken else { return error("invalid_grant") }
        default: return error("unsupported_grant_type")
        }
        state.issued += 1
        state.refreshToken = "refresh-\(state.issued)"
        let refresh = state.givesRefreshToken ? ",\"refresh_token\":\"\(state.refreshToken)\"" : ""
        let expires = state.seconds.map { ",\"expires_in\":\($0)" } ?? ""
        return .text(
          "{\"access_token\":\"access-\(state.issued)\",\"token_type\":\"Bearer\"\(expires)\(refresh)}")
      }
    default: return LoopbackServer.Response(status: 404)
    }
  }

  private static func error(_ code: String) -> LoopbackServer.Response {
    LoopbackServer.Response(
      status: code == "authorization_pending" ? 428 : 400, body: Array("{\"error\":\"\(code)\"}".utf8))
  }
}
