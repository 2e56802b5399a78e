import FencepostJSON
import FencepostSpatiotemporal

/// What a token endpoint says (RFC 6749, section 5; RFC 8628, section 3.5).
enum TokenAnswer: Hashable {
  /// A token, and perhaps a new refresh token.
  case tokens(AccessToken, refreshToken: String?)
  /// The user has not answered yet.
  case pending
  /// The user has not answered yet, and the client asks too often.
  case slowDown

  /// Reads an answer.
  ///
  /// - Parameter now: The time at which the token was issued.
  /// - Throws: ``OAuthFailure`` for a refusal, and for anything else than an answer, whatever its status.
  init(status: Int, retryAfter: Double?, body: [UInt8], at now: Instant) throws(OAuthFailure) {
    let json: JSONValue
    switch try Self.read(status: status, retryAfter: retryAfter, body: body) {
    case .object(let object): json = object
    case .pending:
      self = .pending
      return
    case .slowDown:
      self = .slowDown
      return
    }
    guard let token = json["access_token"]?.text, Self.isToken(token),
      json["token_type"]?.text?.lowercased() == "bearer"
    else { throw OAuthFailure(.unreadable, "the authorization server's answer has no usable token") }
    let refresh = json["refresh_token"]?.text
    guard refresh.map(Self.isToken) ?? true else {
      throw OAuthFailure(.unreadable, "the authorization server's answer has no usable token")
    }
    // Some servers write the number as a text.
    let seconds = json["expires_in"].flatMap { $0.number ?? $0.text.flatMap { Double($0) } }
    let expires = seconds.map { now.adding(seconds: min(max($0, 0), 366 * 86_400)) }
    self = .tokens(AccessToken(text: token, expires: expires), refreshToken: refresh)
  }

  /// What an answer contains.
  enum Content: Hashable {
    case object(JSONValue)
    case pending
    case slowDown
  }

  /// Reads an answer of any endpoint.
  ///
  /// - Throws: ``OAuthFailure`` for a refusal, and for anything else than an object.
  static func read(status: Int, retryAfter: Double?, body: [UInt8]) throws(OAuthFailure) -> Content {
    let json = (try? JSONValue(reading: body, maxDepth: 16)).flatMap { $0.members == nil ? nil : $0 }
    // Google answers 428 while it waits, and others 200: the code counts, not the status.
    if let code = json?["error"]?.text {
      switch code {
      case "authorization_pending": return .pending
      case "slow_down": return .slowDown
      default: throw failure(code, retryAfter)
      }
    }
    if status == 429 || status >= 500 {
      throw OAuthFailure(
        .later, "the authorization server has a problem: it answered \(status)", retryAfter: retryAfter)
    }
    guard (200..<300).contains(status) else {
      throw OAuthFailure(.refused, "the authorization server answered \(status)")
    }
    guard let json else {
      throw OAuthFailure(.unreadable, "the authorization server answers with a page instead of data")
    }
    return .object(json)
  }

  /// The failure for an error code.
  static func failure(_ code: String, _ retryAfter: Double? = nil) -> OAuthFailure {
    switch code {
    case "invalid_grant": OAuthFailure(.ended, "the server does not accept the sign-in (invalid_grant)")
    case "access_denied": OAuthFailure(.refused, "the sign-in was declined")
    case "expired_token": OAuthFailure(.expired, "the sign-in was not completed in time; try again")
    case "invalid_client", "unauthorized_client":
      OAuthFailure(.refused, "the server refuses this client (\(code)); check the client ID and its secret")
    case "invalid_scope":
      OAuthFailure(
        .refused,
        "the server does not allow this (invalid_scope): check --scope; Google's calendars need a browser on this machine"
      )
    case "temporarily_unavailable", "server_error":
      OAuthFailure(.later, "the authorization server has a problem (\(code))", retryAfter: retryAfter)
    default: OAuthFailure(.refused, "the authorization server refuses it\(shown(code))")
    }
  }

  /// A code for a message, unless it is more than a code.
  private static func shown(_ code: String) -> String {
    let isPlain = code.utf8.count <= 64 && code.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") }
    return isPlain ? " (\(code))" : ""
  }

  /// Whether a text can be a token in a header and in a form.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 16_384 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
