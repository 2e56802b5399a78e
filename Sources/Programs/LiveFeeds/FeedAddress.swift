import FencepostDBus
import FencepostSystem
public import FencepostMQTT
public import FencepostAddresses
public import FencepostWebClient
import FencepostWebServer

/// The address of a feed, as in `--feed`.
public enum FeedAddress: Hashable, Sendable {
  /// `-`: standard input.
  case standardInput
  /// A path: a file, read once, or a named pipe.
  case path(String)
  /// `tail:PATH`: a file that grows.
  case tail(String)
  /// `maildir:PATH`: bookings in the mails of a Maildir, for the inbox of suggestions.
  case maildir(String)
  /// `imaps://USER@HOST/FOLDER`: bookings in the mails of a folder on a server, for the inbox of suggestions.
  case imap(IMAPAddress)
  /// `nmea:///dev/ttyUSB0?baud=9600`: a receiver on a serial line.
  case serial(path: String, baud: Int)
  /// `gpsd://HOST:2947`: a gpsd server.
  case gpsd(host: String, port: UInt16)
  /// `http://127.0.0.1:8085`: a server for requests from phones.
  case http(HTTPAddress)
  /// `mqtts://USER:PASSWORD@HOST/owntracks/+/+`: messages of a broker.
  case mqtt(MQTTAddress)
  /// `geoclue` or `geoclue:ID`: the location of this machine from GeoClue, with the desktop ID of the client.
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
    if text.hasPrefix("maildir:") {
      let path = String(text.dropFirst("maildir:".count))
      guard !path.isEmpty else { throw AddressError(text, "missing path, as in maildir:/home/me/Maildir") }
      self = .maildir(path)
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
      // A file name can look like this, but rarely does; a prefix of `./` makes it a path.
      guard text.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:/) == nil else {
        throw AddressError(
          text, "unknown feed; \(FeedAddress.kinds). For a file of this name use './\(text)'")
      }
      self = .path(text)
      return
    }
    var words = try AddressParameters(text)
    let address = try URLParts(words)
    switch address.scheme {
    case "file":
      self = .path(address.path)
      try words.finish([])
    case "nmea":
      guard !address.path.isEmpty else {
        throw AddressError(text, "missing device, as in nmea:///dev/ttyUSB0")
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
    case "imaps":
      self = .imap(try IMAPAddress(address, &words))
      try words.finish(["cafile"])
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
    "use -, PATH, tail:PATH, nmea://, gpsd://, http://, mqtt://, geoclue, maildir:PATH and imaps://"
}

extension FeedAddress: CustomStringConvertible {
  /// The address without passwords.
  public var description: String {
    switch self {
    case .standardInput: "-"
    case .path(let path): path
    case .tail(let path): "tail:\(path)"
    case .maildir(let path): "maildir:\(path)"
    case .imap(let address): address.description
    case .serial(let path, let baud): "nmea://\(path)?baud=\(baud)"
    case .gpsd(let host, let port): "gpsd://\(HostName.text(host)):\(port)"
    case .http(let address): address.description
    case .mqtt(let address): address.description
    case .geoclue(let desktopID):
      desktopID == GeoClueFeed.defaultDesktopID ? "geoclue" : "geoclue:\(desktopID)"
    }
  }

  /// Why this feed can't work, one line; `nil` if there is no known reason. It does not contact servers or
  /// brokers.
  public var problem: String? {
    switch self {
    case .path(let path), .tail(let path), .serial(let path, _): AccessCheck.problem(reading: path)
    case .mqtt(let address): address.authorities.flatMap { AccessCheck.problem(reading: $0) }
    case .geoclue: AccessCheck.problem { _ = try DBusConnection(.system) }
    case .maildir(let path): AccessCheck.problem(readingFolder: "\(path)/new")
    case .imap(let address):
      address.password == nil
        ? "no password; add 'password-file' to the feed in the settings file"
        : address.authorities.flatMap { AccessCheck.problem(reading: $0) }
    case .standardInput, .gpsd, .http: nil
    }
  }

  /// The server that it connects to; `nil` if there is none.
  public var origin: ServerCheck? {
    switch self {
    case .mqtt(let address):
      ServerCheck(place: address.place, isEncrypted: address.isEncrypted, authorities: address.authorities)
    case .imap(let address):
      ServerCheck(place: address.place, isEncrypted: address.isEncrypted, authorities: address.authorities)
    case .gpsd(let host, let port): ServerCheck(place: "\(HostName.text(host)):\(port)", isEncrypted: false)
    case .standardInput, .path, .tail, .maildir, .serial, .http, .geoclue: nil
    }
  }

  /// Whether the address has a secret.
  public var holdsSecret: Bool {
    switch self {
    case .http(let address): address.asksForSecret
    case .mqtt(let address): address.password != nil
    case .imap(let address): address.password != nil
    default: false
    }
  }
}
