/// An exchange with another program failed.
public struct InterchangeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, and a solution if known.
  public var message: String
  /// The earliest time for a retry in seconds, if a server gave one.
  public var retryAfter: Double?

  /// An error.
  public init(_ message: String, retryAfter: Double? = nil) {
    self.message = message
    self.retryAfter = retryAfter
  }

  /// The message.
  public var description: String { message }
}
