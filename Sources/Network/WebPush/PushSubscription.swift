import FencepostCryptography

/// The address where a browser or an app receives messages, and its encryption keys. The Push API calls it
/// `PushSubscription` (https://www.w3.org/TR/push-api/); UnifiedPush and WebDAV-Push have the same parts.
public struct PushSubscription: Hashable, Sendable {
  /// The address at the push service. Everyone who knows it can send, so treat it as a secret.
  public let endpoint: String
  /// `p256dh`: the receiver's public key, a point of P-256 in 65 bytes.
  public let publicKey: [UInt8]
  /// `auth`: 16 bytes that only the receiver and this server know.
  public let secret: [UInt8]

  /// A subscription.
  ///
  /// - Parameter reach: The addresses that pushes may go to.
  /// - Throws: ``PushRefusal`` if the address is not allowed, or a key is invalid.
  public init(
    endpoint: String, publicKey: [UInt8], secret: [UInt8], reach: PushReach
  ) throws(PushRefusal) {
    try reach.check(endpoint)
    guard EllipticKey.isPublicKey(publicKey) else {
      throw PushRefusal(field: "p256dh", "must be a public key of P-256: 65 bytes as base64url")
    }
    guard secret.count == 16 else { throw PushRefusal(field: "auth", "must be 16 bytes as base64url") }
    self.endpoint = endpoint
    self.publicKey = publicKey
    self.secret = secret
  }
}

/// Why a subscription is refused.
public struct PushRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The wrong field: `endpoint`, `p256dh` or `auth`.
  public var field: String
  /// The reason, one line.
  public var description: String

  init(field: String, _ description: String) {
    self.field = field
    self.description = description
  }
}
