public import FencepostAddresses
import FencepostWebServer
import FoundationEssentials

/// `http[s]://HOST:PORT[?certificate-file=PATH&key-file=PATH&host=NAME&tiles=URL&tiles-file=PATH&attribution=TEXT&public=URL]`:
/// the address of the web app, its API and the server for phones' positions.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address of this machine to listen on.
  public var host: String
  /// The port; 0 for any free one.
  public var port: UInt16
  /// The files of the certificate and its key, if it uses TLS.
  public var certificate: (chain: String, key: String)? {
    chain.flatMap { chain in key.map { (chain, $0) } }
  }
  private var chain: String?
  private var key: String?
  /// The accepted host names, besides those of this machine.
  public var hosts: [String]
  /// The address without a path at which servers on the internet reach it; `nil` if they don't.
  public var publicAddress: String?
  /// The URL of map tiles on another server.
  public var tileURL: String?
  /// A file of map tiles (MBTiles or PMTiles).
  public var tileFile: String?
  /// Whom the map tiles are due to.
  public var attribution: String
  /// Whether requests come from a proxy on this machine.
  public var isBehindProxy: Bool

  /// The default port.
  static let usualPort: UInt16 = 8787

  /// Parses `text`.
  public init(_ text: String) throws(AddressError) {
    var words = try AddressParameters(text)
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
    tileFile = try words.take("tiles-file")
    attribution = try words.take("attribution") ?? ""
    isBehindProxy = try words.take("proxy") == "true"
    publicAddress = try words.take("public").map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    if let publicAddress {
      let url = URL(string: publicAddress)
      guard HostName.isPrivate(scheme: url?.scheme, host: url?.host), url?.path.isEmpty == true,
        url?.query == nil, url?.user == nil, url?.fragment == nil
      else { throw words.failure("'public' is an address without a path, such as https://home.example.org") }
    }
    if let tileURL, !["{z}", "{x}", "{y}"].allSatisfy(tileURL.contains) || !tileURL.hasPrefix("https://") {
      throw words.failure("tiles need an address such as https://tile.example.org/{z}/{x}/{y}.png")
    }
    guard tileFile == nil || tileURL == nil && tileFile?.hasPrefix("/") == true else {
      throw words.failure(
        "'tiles-file' is the absolute path of an MBTiles or PMTiles file, and takes the place of 'tiles'")
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
    try words.finish([
      "certificate-file", "key-file", "host", "tiles", "tiles-file", "attribution", "proxy", "public",
    ])
  }

  /// Advice for an address that would be readable on the network.
  static let advice =
    "without https, others on the network could read the data; listen on 127.0.0.1, or use https://. Use 'proxy=true' if "
    + "a proxy with TLS on another machine is the only one that can connect"

  /// The host for browsers and phones: the first name, or the address that it listens on.
  public var publicHost: String {
    ["0.0.0.0", "::"].contains(host) || HostName.isLoopback(host) ? hosts.first ?? "localhost" : host
  }

  /// The address for browsers and phones. A proxy adds TLS and has the usual port.
  ///
  /// - Parameter port: The port that it listens on.
  public func url(port: UInt16) -> String {
    let hasPort = publicHost.wholeMatch(of: /[^:]+:[0-9]+/) != nil
    let place = hasPort || isBehindProxy ? publicHost : "\(HostName.text(publicHost)):\(port)"
    return (certificate != nil || isBehindProxy ? "https://" : "http://") + place
  }

  /// The address at which phones can reach it; `nil` if only this machine can, or none is known.
  var reachableURL: String? {
    if let publicAddress { return publicAddress }
    return HostName.isLoopback(publicHost) || port == 0 && !isBehindProxy ? nil : url(port: port)
  }

  /// Host and port.
  var place: String { "\(HostName.text(host)):\(port)" }

  /// An address of the owner for push services: the server's own, if it has a name.
  var contact: String? { hosts.first { $0.contains(".") }.map { "https://\($0)" } }

  /// The address without files.
  public var description: String { "\(certificate == nil ? "http" : "https")://\(place)" }
}
