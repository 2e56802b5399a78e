/// Why a request to a server failed.
public struct DAVFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failures.
  public enum Kind: Hashable, Sendable {
    /// No answer: the network, the name or the certificate.
    case unreachable
    /// The user name or password is wrong (401).
    case unauthorized
    /// The server does not allow it (403).
    case forbidden
    /// There is no resource at the address (404, 410).
    case missing
    /// The server asks for a later retry (429, 503 and other 5xx, 423).
    case later
    /// The sync token is no longer valid.
    case invalidToken
    /// The server does not support the method or report (400, 405, 501 and the like).
    case unsupported
    /// Not the expected answer: a sign-in page, or an incomplete text.
    case unreadable
  }

  /// The kind of failure.
  public var kind: Kind
  /// One line with the problem and its solution.
  public var description: String
  /// Retry-After, in seconds.
  public var retryAfter: Double?

  /// Whether other calendars of the account may still work.
  public var concernsOneCalendar: Bool {
    switch kind {
    case .unreachable, .unauthorized: false
    case .later: retryAfter == nil
    case .forbidden, .missing, .invalidToken, .unsupported, .unreadable: true
    }
  }

  /// What to do if a server no longer accepts a sign-in.
  public static let signInAdvice = "sign in again with 'fencepost accounts sign-in'"

  /// A failure.
  public init(_ kind: Kind, _ description: String, retryAfter: Double? = nil) {
    self.kind = kind
    self.description = description
    self.retryAfter = retryAfter
  }
}
