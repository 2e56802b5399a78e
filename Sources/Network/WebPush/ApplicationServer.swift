public import FencepostCryptography
import FencepostJSON
import FencepostSpatiotemporal

/// This server's identity for push services (VAPID, RFC 8292). Subscriptions are made for its public key, so
/// other servers can't push to them.
public struct ApplicationServer: Hashable, Sendable {
  /// The key. A subscription works only with the key that it was made for.
  public let key: EllipticKey
  /// How to reach its owner: a `mailto:` or `https:` address. Apple's service requires one.
  public let contact: String?

  /// A server.
  public init(key: EllipticKey, contact: String? = nil) {
    self.key = key
    self.contact = contact
  }

  /// The public key in the form for browsers: `applicationServerKey`.
  public var publicKey: String { Base64URL.encode(key.publicKey) }

  /// The value of the header `Authorization` for one push service.
  ///
  /// - Parameters:
  ///   - origin: Scheme and host of the service.
  ///   - expires: When the token ends, at most a day from now.
  func authorization(for origin: String, expires: Instant) -> String {
    var header = JSONLine()
    header.add("typ", "JWT")
    header.add("alg", "ES256")
    var claims = JSONLine()
    claims.add("aud", origin)
    claims.add("exp", Int(expires.microseconds / 1_000_000))
    if let contact { claims.add("sub", contact) }
    let signed = [header, claims].map { Base64URL.encode(Array($0.line.utf8)) }.joined(separator: ".")
    let signature = Base64URL.encode(key.signature(of: Array(signed.utf8)))
    return "vapid t=\(signed).\(signature), k=\(publicKey)"
  }
}
