package import FencepostAddresses

/// `nats://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]]…[?cafile=PATH&creds=PATH]`, or `tls://` with encryption: a
/// NATS server, or several of a cluster.
package struct NATSAddress: Hashable, Sendable, CustomStringConvertible {
  /// The addresses for libnats, with their secrets. Any one of them will do.
  let urls: [String]
  /// Whether the connection is encrypted.
  let isEncrypted: Bool
  /// A file with the certificates of trusted authorities; `nil` for the system's.
  let authorities: String?
  /// A file with the credentials of a user (a JWT and its key); `nil` for none.
  let credentials: String?
  /// The address without secrets.
  package let description: String

  /// Reads an address. The first server's user and password count for those that have none.
  package init(_ text: String) throws(AddressError) {
    var words = try AddressParameters(text)
    guard let mark = words.base.firstRange(of: "://"),
      ["nats", "tls"].contains(words.base[..<mark.lowerBound])
    else {
      throw words.failure("unknown kind of log; use nats://HOST:4222, or tls://HOST:4222 with encryption")
    }
    let scheme = String(words.base[..<mark.lowerBound])
    var user = ""
    var (urls, shown): ([String], [String]) = ([], [])
    for server in words.base[mark.upperBound...].split(separator: ",", omittingEmptySubsequences: false) {
      let parts = try URLParts(try AddressParameters("\(scheme)://\(server)"))
      guard let host = parts.host else { throw words.failure("missing host, as in nats://localhost:4222") }
      guard parts.path.isEmpty || parts.path == "/" else {
        throw words.failure("an address of a server has no path")
      }
      let at = server.lastIndex(of: "@")
      if urls.isEmpty, let at { user = String(server[...at]) }
      urls.append("\(scheme)://\(at == nil ? user : "")\(server)")
      shown.append("\(HostName.text(host)):\(parts.port ?? 4222)")
    }
    self.urls = urls
    isEncrypted = scheme == "tls"
    authorities = try words.take("cafile")
    credentials = try words.take("creds")
    try words.finish(["cafile", "creds"])
    if authorities != nil && !isEncrypted { throw words.failure("'cafile' needs tls://") }
    description = "\(scheme)://\(shown.joined(separator: ","))"
  }
}
