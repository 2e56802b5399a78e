/// Why a server did not do what it was asked.
public struct DAVFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Kind: Hashable, Sendable {
    /// No answer: the network, the name or the certificate.
    case unreachable
    /// The user name or password is wrong (401).
    case unauthorized
    /// The server does not allow it (403).
    case forbidden
    /// There is nothing at the address (404, 410).
    case missing
    /// The server asks to come back later (429, 503 and other 5xx, 423).
    case later
    /// The sync token is not known any more.
    case invalidToken
    /// The server does not know the method or report (400, 405, 501 and the like).
    case unsupported
    /// The answer is not what was asked for: a page to sign in, a text that breaks off.
    case unreadable
  }

  /// What kind of failure it is.
  public var kind: Kind
  /// One line: what happened, and what to do.
  public var description: String
  /// Retry-After, in seconds.
  public var retryAfter: Double?

  /// A failure.
  public init(_ kind: Kind, _ description: String, retryAfter: Double? = nil) {
    self.kind = kind
    self.description = description
    self.retryAfter = retryAfter
  }
}
