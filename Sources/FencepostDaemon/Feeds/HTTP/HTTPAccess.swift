import CNettle
import FoundationEssentials

/// Who may send.
struct HTTPAccess: Sendable {
  private let user: String?
  private let password: String?
  private let token: String?

  /// Whoever knows what `address` asks for.
  init(_ address: HTTPAddress) {
    user = address.user
    password = address.password
    token = address.token
  }

  /// Whether everybody may.
  var isOpen: Bool { user == nil && token == nil }

  /// How to sign in, for the header WWW-Authenticate.
  var challenge: String { user == nil ? "Bearer" : "Basic realm=\"fencepost\", charset=\"UTF-8\"" }

  /// What somebody shows.
  struct Credentials: Sendable {
    /// The header Authorization.
    var authorization: String?
    /// The field `token` of the query.
    var token: String?

    /// The user that Basic authentication names, whoever it is.
    var user: String? { basic?.user }

    fileprivate var basic: (user: String, password: String)? {
      guard let data = value(of: "basic").flatMap({ Data(base64Encoded: $0) }) else { return nil }
      let parts = String(decoding: data, as: UTF8.self).split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }

    fileprivate var bearer: String? { value(of: "bearer") }

    private func value(of scheme: String) -> String? {
      guard let parts = authorization?.split(separator: " ", maxSplits: 1), parts.count == 2,
        parts[0].lowercased() == scheme
      else { return nil }
      return String(parts[1].trimmingPrefix { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
    }
  }

  /// Whether `credentials` will do.
  func admits(_ credentials: Credentials) -> Bool {
    if isOpen { return true }
    // Each is compared whatever came of the one before.
    var isAdmitted = false
    if let token {
      for offered in [credentials.token, credentials.bearer] {
        if let offered, HTTPAccess.areEqual(offered, token) { isAdmitted = true }
      }
    }
    if let user, let password, let offered = credentials.basic {
      let isUser = HTTPAccess.areEqual(offered.user, user)
      let isPassword = HTTPAccess.areEqual(offered.password, password)
      if isUser && isPassword { isAdmitted = true }
    }
    return isAdmitted
  }

  /// Whether two texts are the same, in a time that tells nothing of where they differ, nor of the length of
  /// `secret`: their digests are compared, and those without an early end.
  static func areEqual(_ offered: String, _ secret: String) -> Bool {
    let digests = (
      MessageDigest.sha256(Array(offered.utf8)), MessageDigest.sha256(Array(secret.utf8))
    )
    return nettle_memeql_sec(digests.0, digests.1, digests.0.count) == 1
  }
}
