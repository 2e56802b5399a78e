import Cryptography

/// The encryption of a message for one subscription (RFC 8291), in one record of `aes128gcm` (RFC 8188).
enum PushEncryption {
  /// The bytes for the message, of the 4,096 that push services accept (RFC 8291, section 4).
  static let mostBytes = 4_096 - 86 - 1 - 16

  /// The body of a request.
  ///
  /// - Parameters:
  ///   - message: At most ``mostBytes``.
  ///   - subscription: The receiver.
  ///   - key: A key for this message only.
  ///   - salt: 16 random bytes.
  /// - Returns: `nil` if the receiver's key is invalid.
  static func seal(
    _ message: [UInt8], for subscription: PushSubscription, key: EllipticKey = EllipticKey(),
    salt: [UInt8] = Secret.random(16)
  ) -> [UInt8]? {
    guard let common = key.sharedSecret(with: subscription.publicKey) else { return nil }
    let parties = Array("WebPush: info\0".utf8) + subscription.publicKey + key.publicKey
    let secret = KeyDerivation.sha256(common, salt: subscription.secret, info: parties, count: 32)
    let cipher = AuthenticatedCipher(
      key: KeyDerivation.sha256(
        secret, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), count: 16),
      nonce: KeyDerivation.sha256(
        secret, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), count: 12))
    let recordSize: [UInt8] = [0, 0, 16, 0]
    // A 2 marks the last record.
    return salt + recordSize + [UInt8(key.publicKey.count)] + key.publicKey + cipher.seal(message + [2])
  }
}
