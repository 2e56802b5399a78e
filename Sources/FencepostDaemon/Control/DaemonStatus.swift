/// How a daemon is doing, as it tells whoever asks over its socket: what only it knows; the rest is in the store.
public struct DaemonStatus: Hashable, Sendable, Codable {
  /// How a feed is doing.
  public struct Feed: Hashable, Sendable, Codable {
    /// Its address, without secrets.
    public var address: String
    /// `connecting`, `open`, `failed` or `ended`.
    public var state: String
    /// Positions that came, since the daemon started.
    public var fixes: Int
    /// Records that were no positions.
    public var rejected: Int
    /// When the last position came, in microseconds since 1970.
    public var lastArrival: Int64?
    /// What went wrong last.
    public var failure: String?
    /// When it is tried again, in microseconds since 1970.
    public var nextAttempt: Int64?
  }

  /// How a channel is doing.
  public struct Channel: Hashable, Sendable, Codable {
    /// Its address, without secrets.
    public var address: String
    /// What went wrong last.
    public var failure: String?
    /// When it is tried again, in microseconds since 1970.
    public var nextAttempt: Int64?
  }

  /// The process.
  public var process: Int32
  /// When it started, in microseconds since 1970.
  public var started: Int64
  /// Its memory in bytes.
  public var memory: Int
  /// True where nothing is delivered for now.
  public var isPaused: Bool
  /// Why the store can't be written to; `nil` where it can.
  public var storeFailure: String?
  /// Its feeds.
  public var feeds: [Feed]
  /// Its channels.
  public var channels: [Channel]
}
