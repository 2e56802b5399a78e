package import FencepostAddresses

/// `nats://[USER:PASSWORD@]HOST[:PORT][?cafile=PATH&creds=PATH]`, or `tls://` with encryption: a NATS server.
package struct NATSAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address for libnats, with its secrets.
  let url: String
  /// Whether the connection is encrypted.
  let isEncrypted: Bool
  /// A file with the certificates of trusted authorities; `nil` for the system's.
  let authorities: String?
  /// A file with the credentials of a user (a JWT and its key); `nil` for none.
  let credentials: String?
  /// The address without secrets.
  package let description: String

  /// Reads an address.
  package init(_ text: String) throws(AddressError) {
    var words = try AddressParameters(text)
    let parts = try URLParts(words)
    guard ["nats", "tls"].contains(parts.scheme) else {
      throw words.failure("unknown kind of log; use nats://HOST:4222, or tls://HOST:4222 with encryption")
    }
    guard let host = parts.host else { throw words.failure("missing host, as in nats://localhost:4222") }
    guard parts.path.isEmpty || parts.path == "/" else {
      throw words.failure("an address of a server has no path")
    }
    isEncrypted = parts.scheme == "tls"
    authorities = try words.take("cafile")
    credentials = try words.take("creds")
    try words.finish(["cafile", "creds"])
    if authorities != nil && !isEncrypted { throw words.failure("'cafile' needs tls://") }
    url = words.base
    description = "\(parts.scheme)://\(HostName.text(host)):\(parts.port ?? 4222)"
  }
}
