import WebServer

/// The address of a feed, as in `--feed`.
public enum FeedAddress: Hashable, Sendable {
  /// `-`: standard input.
  case standardInput
  /// A path: a file, read once, or a named pipe.
  case path(String)
  /// `tail:PATH`: a file that grows.
  case tail(String)
  /// `nmea:///dev/ttyUSB0?baud=9600`: a receiver on a serial line.
  case serial(path: String, baud: Int)
  /// `gpsd://HOST:2947`.
  case gpsd(host: String, port: UInt16)
  /// `http://127.0.0.1:8085`: a server that phones post to.
  case http(HTTPAddress)
  /// `mqtts://USER:PASSWORD@HOST/owntracks/+/+`: a broker's messages.
  case mqtt(MQTTAddress)
  /// `geoclue` or `geoclue:ID`: where this machine is, as GeoClue tells it, under the name of a desktop file.
  case geoclue(desktopID: String)

  /// Parses an address.
  public init(_ text: String) throws(AddressError) {
    if text == "-" {
      self = .standardInput
      return
    }
    if text.hasPrefix("tail:") {
      let path = String(text.dropFirst("tail:".count))
      guard !path.isEmpty else { throw AddressError(text, "missing path, as in tail:/var/log/gps.nmea") }
      self = .tail(path)
      return
    }
    if text == "geoclue" || text.hasPrefix("geoclue:") {
      let id = String(text.dropFirst("geoclue:".count))
      self = .geoclue(desktopID: id.isEmpty ? GeoClueFeed.defaultDesktopID : id)
      return
    }
    guard text.contains("://") else {
      guard !text.isEmpty else {
        throw AddressError(text, "missing address; `-` is standard input")
      }
      // A file may have such a name, and hardly ever has; `./` before it says so.
      guard text.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:/) == nil else {
        throw AddressError(
          text, "unknown feed; \(FeedAddress.kinds). For a file of this name use './\(text)'")
      }
      self = .path(text)
      return
    }
    var words = try AddressWords(text)
    let address = try URLParts(words)
    switch address.scheme {
    case "file":
      self = .path(address.path)
      try words.finish([])
    case "nmea":
      guard !address.path.isEmpty else {
        throw AddressError(text, "say which line, as in nmea:///dev/ttyUSB0")
      }
      let baud = try words.take("baud") ?? "9600"
      guard let rate = Int(baud), SerialLine.rates[rate] != nil else {
        throw words.failure(
          "invalid baud rate '\(baud)'; use one of "
            + SerialLine.rates.keys.sorted().map(String.init).joined(separator: ", "))
      }
      self = .serial(path: address.path, baud: rate)
      try words.finish(["baud"])
    case "gpsd":
      self = .gpsd(host: address.host ?? "localhost", port: address.port ?? 2947)
      try words.finish([])
    case "http":
      self = .http(try HTTPAddress(address, &words))
      try words.finish(["token", "waypoints"])
    case "mqtt", "mqtts":
      self = .mqtt(try MQTTAddress(feed: address, &words))
      try words.finish(["cafile", "waypoints"])
    default:
      throw AddressError(
        text,
        "unknown feed '\(address.scheme)'; \(FeedAddress.kinds)")
    }
  }

  private static let kinds =
    "use -, PATH, tail:PATH, nmea://, gpsd://, http://, mqtt:// and geoclue"
}

extension FeedAddress: CustomStringConvertible {
  /// The address without passwords.
  public var description: String {
    switch self {
    case .standardInput: "-"
    case .path(let path): path
    case .tail(let path): "tail:\(path)"
    case .serial(let path, let baud): "nmea://\(path)?baud=\(baud)"
    case .gpsd(let host, let port): "gpsd://\(HostName.text(host)):\(port)"
    case .http(let address): address.description
    case .mqtt(let address): address.description
    case .geoclue(let desktopID):
      desktopID == GeoClueFeed.defaultDesktopID ? "geoclue" : "geoclue:\(desktopID)"
    }
  }
}
