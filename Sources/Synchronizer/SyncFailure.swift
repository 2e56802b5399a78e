/// Why a synchronization did not happen.
public struct SyncFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line: what happened, and what to do.
  public var description: String
  /// The earliest time for another attempt, in seconds from now, if the server said one.
  public var retryAfter: Double?

  /// A failure.
  public init(_ description: String, retryAfter: Double? = nil) {
    self.description = description
    self.retryAfter = retryAfter
  }
}
