import FencepostAddresses
import FencepostJSON
import FencepostWebServer
import FoundationEssentials

/// An authorization server: who it is, and where it takes requests (RFC 8414).
public struct AuthorizationServer: Hashable, Sendable {
  /// The address that names it. Answers of another server have another one (RFC 9207).
  public var issuer: String
  /// Where a user signs in with a browser; `nil` if it has no such page.
  public var authorizationEndpoint: String?
  /// Where codes and refresh tokens become access tokens.
  public var tokenEndpoint: String
  /// Where a sign-in on another device begins (RFC 8628); `nil` if it does not offer that.
  public var deviceEndpoint: String?
  /// Whether it takes a client's secret in the body of a request, not only in its header.
  public var takesSecretInBody: Bool

  /// Google's.
  public static let google = AuthorizationServer(
    issuer: "https://accounts.google.com",
    authorizationEndpoint: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenEndpoint: "https://oauth2.googleapis.com/token",
    deviceEndpoint: "https://oauth2.googleapis.com/device/code", takesSecretInBody: true)

  /// The server and scope for a known CalDAV server; `nil` for an unknown one.
  public static func known(for address: String) -> (server: AuthorizationServer, scope: String)? {
    guard URL(string: address)?.host?.lowercased() == "apidata.googleusercontent.com" else { return nil }
    return (google, "https://www.googleapis.com/auth/calendar")
  }

  init(
    issuer: String, authorizationEndpoint: String?, tokenEndpoint: String, deviceEndpoint: String?,
    takesSecretInBody: Bool
  ) {
    self.issuer = issuer
    self.authorizationEndpoint = authorizationEndpoint
    self.tokenEndpoint = tokenEndpoint
    self.deviceEndpoint = deviceEndpoint
    self.takesSecretInBody = takesSecretInBody
  }

  /// The addresses of the metadata of an issuer: of OAuth (RFC 8414, section 3.1), then of OpenID Connect.
  ///
  /// - Throws: ``OAuthFailure`` if `issuer` is not a usable address.
  static func metadataAddresses(of issuer: String) throws(OAuthFailure) -> [String] {
    guard isUsable(issuer, plain: true), !issuer.contains("?"), let url = URL(string: issuer),
      let host = url.host
    else {
      throw OAuthFailure(.unusable, "the issuer must be an address such as https://login.example.org")
    }
    let name = host.contains(":") ? "[\(host)]" : host
    let origin = "\(url.scheme ?? "https")://\(name)" + (url.port.map { ":\($0)" } ?? "")
    let path = withoutSlash(url.path)
    return [
      "\(origin)/.well-known/oauth-authorization-server\(path)",
      "\(origin)\(path)/.well-known/openid-configuration",
    ]
  }

  /// Reads metadata.
  ///
  /// - Throws: ``OAuthFailure`` if they are not metadata of `issuer`.
  init(metadata: [UInt8], of issuer: String) throws(OAuthFailure) {
    guard let json = try? JSONValue(reading: metadata, maxDepth: 16), json.members != nil else {
      throw OAuthFailure(.unreadable, "\(issuer) answers with a page instead of its metadata")
    }
    guard let named = json["issuer"]?.text, Self.withoutSlash(named) == Self.withoutSlash(issuer) else {
      throw OAuthFailure(.unreadable, "the metadata of \(issuer) names another issuer")
    }
    let plain = issuer.lowercased().hasPrefix("http:")
    func endpoint(_ name: String) throws(OAuthFailure) -> String? {
      guard let address = json[name]?.text else { return nil }
      guard Self.isUsable(address, plain: plain) else {
        throw OAuthFailure(.unreadable, "the metadata of \(issuer) has a wrong '\(name)'")
      }
      return address
    }
    guard let token = try endpoint("token_endpoint") else {
      throw OAuthFailure(.unreadable, "the metadata of \(issuer) has no 'token_endpoint'")
    }
    // Without a list, the header alone (RFC 8414, section 2).
    let methods = json["token_endpoint_auth_methods_supported"]?.list?.compactMap(\.text) ?? []
    self.init(
      issuer: named, authorizationEndpoint: try endpoint("authorization_endpoint"), tokenEndpoint: token,
      deviceEndpoint: try endpoint("device_authorization_endpoint"),
      takesSecretInBody: methods.contains("client_secret_post"))
  }

  /// Whether secrets may be sent to an address: with TLS, or with `plain` also on this machine.
  public static func isUsable(_ address: String, plain: Bool) -> Bool {
    guard address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !address.contains("#"),
      let url = URL(string: address), url.user == nil, url.password == nil
    else { return false }
    return HostName.isPrivate(scheme: url.scheme, host: url.host)
      && (plain || url.scheme?.lowercased() == "https")
  }

  private static func withoutSlash(_ text: String) -> String {
    text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}
