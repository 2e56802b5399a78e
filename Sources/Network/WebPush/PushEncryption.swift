import FencepostCryptography

/// The encryption of a message for one subscription (RFC 8291), in one record of `aes128gcm` (RFC 8188).
enum PushEncryption {
  /// The bytes for the message, of the 4,096 that push services accept (RFC 8291, section 4).
  static let maximumBytes = 4_096 - 86 - 1 - 16

  /// The body of a request.
  ///
  /// - Parameters:
  ///   - message: At most ``maximumBytes``.
  ///   - subscription: The receiver.
  ///   - key: A key for this message only.
  ///   - salt: 16 random bytes.
  /// - Returns: `nil` if the receiver's key is invalid.
  static func seal(
    _ message: [UInt8], for subscription: PushSubscription, key: EllipticKey = EllipticKey(),
    salt: [UInt8] = Secret.random(16)
  ) -> [UInt8]? {
    guard let common = key.sharedSecret(with: subscription.publicKey) else { return nil }
    let cipher = cipher(
      common, receiver: subscription.publicKey, sender: key.publicKey, secret: subscription.secret, salt: salt
    )
    let recordSize: [UInt8] = [0, 0, 16, 0]
    // A 2 marks the last record.
    return salt + recordSize + [UInt8(key.publicKey.count)] + key.publicKey + cipher.seal(message + [2])
  }

  /// The message in the body of a request.
  ///
  /// - Returns: `nil` if it is not one record for `receiver`.
  static func open(_ body: [UInt8], for receiver: PushReceiver) -> [UInt8]? {
    // Salt, size of records, length of the key, key; then at least a mark and the code of authenticity.
    guard body.count >= 86 + 17, body[20] == 65 else { return nil }
    let (salt, sender, record) = (Array(body[..<16]), Array(body[21..<86]), Array(body[86...]))
    let recordSize = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
    guard record.count <= recordSize, let common = receiver.key.sharedSecret(with: sender) else { return nil }
    let cipher = cipher(
      common, receiver: receiver.key.publicKey, sender: sender, secret: receiver.secret, salt: salt)
    // Zeros may follow the mark of the last record (RFC 8188, section 2).
    guard let padded = cipher.open(record), let mark = padded.lastIndex(where: { $0 != 0 }), padded[mark] == 2
    else { return nil }
    return Array(padded[..<mark])
  }

  /// The cipher of a message (RFC 8291, section 3.4).
  private static func cipher(
    _ common: [UInt8], receiver: [UInt8], sender: [UInt8], secret: [UInt8], salt: [UInt8]
  ) -> AuthenticatedCipher {
    let parties = Array("WebPush: info\0".utf8) + receiver + sender
    let key = KeyDerivation.sha256(common, salt: secret, info: parties, count: 32)
    return AuthenticatedCipher(
      key: KeyDerivation.sha256(
        key, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), count: 16),
      nonce: KeyDerivation.sha256(
        key, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), count: 12))
  }
}
