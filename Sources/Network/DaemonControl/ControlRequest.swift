/// A request to a daemon.
public enum ControlRequest: String, Sendable, CaseIterable {
  /// Get the status, a ``DaemonStatus``.
  case status
  /// Pause deliveries.
  case pause
  /// Resume deliveries.
  case resume
  /// Reload settings and store.
  case reload
  /// Get an address that signs in a browser once: `{"url":…,"expires":…}`.
  case web
  /// Get where phones' positions come in on this machine, ``ControlReceivers``.
  case receivers
}

/// The addresses on this machine at which a daemon takes phones' positions. They contain secrets, as the
/// answer to ``ControlRequest/web`` does.
public struct ControlReceivers: Hashable, Sendable, Codable {
  /// The HTTP feeds, each with its user and password or its token.
  public var feeds: [String]
  /// The web app's server without TLS, which takes positions of clients at `/positions`; `nil` for none.
  public var server: String?

  /// Addresses.
  public init(feeds: [String], server: String?) {
    self.feeds = feeds
    self.server = server
  }
}

/// A position that a program passes to the daemon over the control socket: the word `position` and this as
/// JSON.
public struct ControlPosition: Hashable, Sendable, Codable {
  /// The name of its device.
  public var device: String
  /// Microseconds since 1970.
  public var time: Int64
  /// Degrees on WGS 84.
  public var latitude: Double
  /// Degrees on WGS 84.
  public var longitude: Double
  /// Metres.
  public var accuracy: Double

  /// A position.
  public init(device: String, time: Int64, latitude: Double, longitude: Double, accuracy: Double) {
    self.device = device
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
  }
}
