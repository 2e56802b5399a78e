import FencepostJSON
public import FencepostSpatiotemporal

/// A user's permission, which lasts until it is taken back: the refresh token, and where it is valid. It is a
/// secret.
public struct OAuthGrant: Hashable, Sendable, CustomStringConvertible {
  /// The server that issued it.
  public var server: AuthorizationServer
  /// The client that it was issued to.
  public var client: OAuthClient
  /// What it allows, as words of the server.
  public var scope: String
  /// The refresh token.
  var refreshToken: String

  /// Without secrets, so that no message shows one.
  public var description: String { "a grant of \(server.issuer)" }

  init(server: AuthorizationServer, client: OAuthClient, scope: String, refreshToken: String) {
    self.server = server
    self.client = client
    self.scope = scope
    self.refreshToken = refreshToken
  }

  /// All of it as a line of JSON, to keep as a secret.
  public var text: String {
    var line = JSONLine()
    line.add("issuer", server.issuer)
    line.add("authorization_endpoint", server.authorizationEndpoint)
    line.add("token_endpoint", server.tokenEndpoint)
    line.add("device_authorization_endpoint", server.deviceEndpoint)
    line.add("secret_in_body", server.takesSecretInBody)
    line.add("client_id", client.id)
    line.add("client_secret", client.secret)
    line.add("scope", scope)
    line.add("refresh_token", refreshToken)
    return line.line
  }

  /// Reads the result of ``text``; `nil` for any other text.
  public init?(text: String) {
    guard let json = try? JSONValue(reading: Array(text.utf8), maxDepth: 2),
      let issuer = json["issuer"]?.text, let token = json["token_endpoint"]?.text,
      let refresh = json["refresh_token"]?.text, let id = json["client_id"]?.text,
      let client = try? OAuthClient(id: id, secret: json["client_secret"]?.text)
    else { return nil }
    self.init(
      server: AuthorizationServer(
        issuer: issuer, authorizationEndpoint: json["authorization_endpoint"]?.text, tokenEndpoint: token,
        deviceEndpoint: json["device_authorization_endpoint"]?.text,
        takesSecretInBody: json["secret_in_body"]?.flag ?? false),
      client: client, scope: json["scope"]?.text ?? "", refreshToken: refresh)
  }
}

/// A token for the requests to one server (RFC 6750). It is a secret.
public struct AccessToken: Hashable, Sendable, CustomStringConvertible {
  /// The token: visible ASCII.
  public let text: String
  /// When it ends; `nil` if the server does not say.
  let expires: Instant?

  /// Without the token, so that no message shows it.
  public var description: String { "an access token" }

  /// Seconds before its end in which it is no longer used: a request takes a while, and clocks differ.
  private static let margin = 60.0

  /// Whether it can still be used.
  public func isFresh(at now: Instant) -> Bool {
    expires.map { $0.seconds(since: now) > Self.margin } ?? true
  }
}

/// The result of a sign-in.
public struct OAuthTokens: Hashable, Sendable {
  /// What to keep.
  public var grant: OAuthGrant
  /// What to use now.
  public var access: AccessToken
}
