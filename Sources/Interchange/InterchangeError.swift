/// Why something could not be exchanged with other programs.
public struct InterchangeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, and what to do where that is known.
  public var message: String
  /// In how many seconds to try again at the earliest, where a server said so.
  public var retryAfter: Double?

  /// An error.
  public init(_ message: String, retryAfter: Double? = nil) {
    self.message = message
    self.retryAfter = retryAfter
  }

  /// The message.
  public var description: String { message }
}
