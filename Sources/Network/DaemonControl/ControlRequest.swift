/// A request to a daemon.
public enum ControlRequest: Hashable, Sendable {
  /// Get the status, a ``DaemonStatus``.
  case status
  /// Pause deliveries until a time, in microseconds since 1970; `nil` until they are resumed.
  case pause(until: Int64?)
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

extension ControlRequest: RawRepresentable {
  /// A request of the socket; `nil` if there is no such request.
  public init?(rawValue: String) {
    switch rawValue {
    case "status": self = .status
    case "pause": self = .pause(until: nil)
    case "resume": self = .resume
    case "reload": self = .reload
    case "web": self = .web
    case "receivers": self = .receivers
    default:
      guard rawValue.hasPrefix("pause "), let until = Int64(rawValue.dropFirst("pause ".count)) else {
        return nil
      }
      self = .pause(until: until)
    }
  }

  /// The request on the socket.
  public var rawValue: String {
    switch self {
    case .status: "status"
    case .pause(nil): "pause"
    case .pause(let until?): "pause \(until)"
    case .resume: "resume"
    case .reload: "reload"
    case .web: "web"
    case .receivers: "receivers"
    }
  }
}
