/// Why a sign-in failed. The text never contains a code or a token.
public struct OAuthFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failures.
  public enum Kind: Hashable, Sendable {
    /// No answer: the network, the name or the certificate.
    case unreachable
    /// The server asks for a later retry.
    case later
    /// The server no longer accepts the sign-in: the user has to sign in again.
    case ended
    /// The user or the server said no.
    case refused
    /// The time for the sign-in is over.
    case expired
    /// Not the expected answer, for example a page for people.
    case unreadable
    /// What the user gave can't be used.
    case unusable
  }

  /// The kind of failure.
  public var kind: Kind
  /// One line with the problem and its solution.
  public var description: String
  /// Retry-After, in seconds.
  public var retryAfter: Double?

  init(_ kind: Kind, _ description: String, retryAfter: Double? = nil) {
    self.kind = kind
    self.description = description
    self.retryAfter = retryAfter
  }
}
