import WebServer

/// `http[s]://HOST:PORT[?certificate-file=PATH&key-file=PATH&host=NAME&tiles=URL&attribution=TEXT]`: where the web app, its API
/// and phones' positions are served.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address of this machine to listen on.
  public var host: String
  /// The port; 0 for one that is free.
  public var port: UInt16
  /// The files of the certificate and its key, where it serves over TLS.
  public var certificate: (chain: String, key: String)? {
    chain.flatMap { chain in key.map { (chain, $0) } }
  }
  private var chain: String?
  private var key: String?
  /// The names by which browsers ask, besides those of this machine.
  public var hosts: [String]
  /// The address of street tiles, and whom they are due to.
  public var tiles: (url: String, attribution: String)? { tileURL.map { ($0, attribution) } }
  private var tileURL: String?
  private var attribution: String
  /// Whether a proxy on this machine may ask for others.
  public var isBehindProxy: Bool

  /// The port where nothing else is said.
  static let usualPort: UInt16 = 8787

  /// What `text` says.
  public init(_ text: String) throws(AddressError) {
    var words = try AddressWords(text)
    let parts = try URLParts(words)
    guard parts.scheme == "http" || parts.scheme == "https" else {
      throw words.failure("use http://127.0.0.1:\(Self.usualPort), or https:// with a certificate")
    }
    guard parts.user == nil, parts.path.isEmpty || parts.path == "/" else {
      throw words.failure(
        "the server's address has no user and no path; see 'fencepost clients' for passwords")
    }
    host = parts.host ?? "127.0.0.1"
    port = parts.port ?? Self.usualPort
    chain = try words.take("certificate-file")
    key = try words.take("key-file")
    hosts = words.takeAll("host")
    tileURL = try words.take("tiles")
    attribution = try words.take("attribution") ?? ""
    isBehindProxy = try words.take("proxy") == "true"
    if let tileURL, !["{z}", "{x}", "{y}"].allSatisfy(tileURL.contains) || !tileURL.hasPrefix("https://") {
      throw words.failure("tiles need an address such as https://tile.example.org/{z}/{x}/{y}.png")
    }
    let isSecure = parts.scheme == "https"
    guard isSecure == (certificate != nil) else {
      throw words.failure(
        isSecure
          ? "https needs 'certificate-file' and 'key-file', PEM files with absolute paths"
          : "a certificate needs https://")
    }
    guard isSecure || HostName.isLoopback(host) || isBehindProxy else { throw words.failure(Self.advice) }
    if !HostName.isLoopback(host), !["0.0.0.0", "::"].contains(host) { hosts.append(host) }
    try words.finish(["certificate-file", "key-file", "host", "tiles", "attribution", "proxy"])
  }

  /// What to do where anybody could listen in.
  static let advice =
    "without https others on the network could read along; listen on 127.0.0.1, use https://, or say 'proxy=true' where "
    + "a proxy with TLS on another machine is the only one that can connect"

  /// Host and port.
  var place: String { "\(HostName.text(host)):\(port)" }

  /// Without files.
  public var description: String { "\(certificate == nil ? "http" : "https")://\(place)" }
}
