/// Why a synchronization failed.
public struct SyncFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line with the problem and its solution.
  public var description: String
  /// The earliest time for a retry, in seconds from now, if the server gave one.
  public var retryAfter: Double?

  static let damaged = SyncFailure("the account is damaged; remove it and add it again")

  /// A failure.
  public init(_ description: String, retryAfter: Double? = nil) {
    self.description = description
    self.retryAfter = retryAfter
  }
}
