/// The status of a daemon, as sent over its socket. The rest is in the store.
public struct DaemonStatus: Hashable, Sendable, Codable {
  /// The state of a feed.
  public struct Feed: Hashable, Sendable, Codable {
    /// Its address, without secrets.
    public var address: String
    /// `connecting`, `open`, `failed` or `ended`.
    public var state: String
    /// Positions since the start of the daemon.
    public var fixes: Int
    /// Unreadable records.
    public var rejected: Int
    /// Positions that were ignored, as they are dated ahead of the daemon's clock; `nil` from an earlier version.
    public var datedAhead: Int?
    /// When the last position came, in microseconds since 1970.
    public var lastArrival: Int64?
    /// The last error.
    public var failure: String?
    /// The time of the next retry, in microseconds since 1970.
    public var nextAttempt: Int64?
  }

  /// The state of a channel.
  public struct Channel: Hashable, Sendable, Codable {
    /// Its address, without secrets.
    public var address: String
    /// The last error.
    public var failure: String?
    /// The time of the next retry, in microseconds since 1970.
    public var nextAttempt: Int64?
  }

  /// The process.
  public var process: Int32
  /// When it started, in microseconds since 1970.
  public var started: Int64
  /// Its memory in bytes.
  public var memory: Int
  /// True if deliveries are paused.
  public var isPaused: Bool
  /// Why the store can't be written; `nil` if it can.
  public var storeFailure: String?
  /// Its feeds.
  public var feeds: [Feed]
  /// Its channels.
  public var channels: [Channel]
}
