import FencepostAlgorithms
import FencepostCryptography
import FencepostWebServer

/// A sign-in with the browser of this machine: the authorization code grant for native apps (RFC 8252), with
/// a proof that the code came to who asked for it (PKCE, RFC 7636).
struct CodeRequest: Hashable, Sendable {
  /// The page to open.
  let address: String
  /// Where the browser brings the code.
  let redirect: String
  /// What only this program knows, until it exchanges the code.
  let verifier: String
  private let state: String
  private let issuer: String

  /// A request with new secrets.
  ///
  /// - Parameters:
  ///   - state: Ties the answer to this request.
  ///   - verifier: 43 to 128 unreserved characters (RFC 7636, section 4.1).
  /// - Throws: ``OAuthFailure`` if the server has no page for it.
  init(
    _ server: AuthorizationServer, client: OAuthClient, scope: String, redirect: String,
    state: String = Secret.key().text, verifier: String = Secret.key().text
  ) throws(OAuthFailure) {
    guard let page = server.authorizationEndpoint else {
      throw OAuthFailure(.unusable, "the server has no page to sign in; use --other-device")
    }
    self.redirect = redirect
    self.verifier = verifier
    self.state = state
    issuer = server.issuer
    var fields = [
      ("response_type", "code"), ("client_id", client.id), ("redirect_uri", redirect), ("scope", scope),
      ("state", state), ("code_challenge", Self.challenge(of: verifier)), ("code_challenge_method", "S256"),
    ]
    // Google gives a refresh token for these alone.
    if server.issuer == AuthorizationServer.google.issuer {
      fields += [("access_type", "offline"), ("prompt", "consent")]
    }
    address = page + (page.contains("?") ? "&" : "?") + OAuthForm.text(fields)
  }

  /// The challenge for a verifier (RFC 7636, section 4.2).
  static func challenge(of verifier: String) -> String {
    Base64URL.encode(MessageDigest.sha256(Array(verifier.utf8)))
  }

  /// The code that a browser brought.
  ///
  /// - Returns: `nil` if it is not the answer to this request, so that a foreign page can't end it.
  /// - Throws: ``OAuthFailure`` if the user or the server said no, or another server answers.
  func code(in query: [HTTPHead.Field]) throws(OAuthFailure) -> String? {
    func value(_ name: String) -> String? {
      let values = query.filter { $0.name == name }.map(\.value)
      return values.count == 1 ? values[0] : nil
    }
    guard let offered = value("state"), MessageDigest.areEqual(offered, state) else { return nil }
    if query.contains(where: { $0.name == "iss" }), value("iss") != issuer {
      throw OAuthFailure(.refused, "the answer comes from another authorization server")
    }
    if let error = value("error") { throw TokenAnswer.failure(error) }
    guard let code = value("code"), !code.isEmpty, code.utf8.count <= 4_096 else { return nil }
    return code
  }
}

/// Fields as a query or a form.
enum OAuthForm {
  static func text(_ fields: [(String, String)]) -> String {
    fields.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
  }
}
