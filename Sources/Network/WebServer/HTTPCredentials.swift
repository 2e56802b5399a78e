import FoundationEssentials

/// The credentials of a request.
public struct HTTPCredentials: Sendable {
  /// The header Authorization.
  private let authorization: String?
  /// The query field `token`.
  public let token: String?

  /// The credentials from a request's header and query.
  public init(authorization: String?, token: String?) {
    self.authorization = authorization
    self.token = token
  }

  /// Whether there are no credentials.
  public var isEmpty: Bool { authorization == nil && token == nil }

  /// User and password of Basic authentication (RFC 7617).
  public var basic: (user: String, password: String)? {
    guard let data = value(of: "basic").flatMap({ Data(base64Encoded: $0) }) else { return nil }
    let parts = String(decoding: data, as: UTF8.self).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  /// The token of Bearer authentication (RFC 6750).
  public var bearer: String? { value(of: "bearer") }

  private func value(of scheme: String) -> String? {
    guard let parts = authorization?.split(separator: " ", maxSplits: 1), parts.count == 2,
      parts[0].lowercased() == scheme
    else { return nil }
    return String(parts[1].trimmingPrefix { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
  }
}
