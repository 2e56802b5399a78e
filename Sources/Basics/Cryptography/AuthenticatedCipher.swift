import CFencepostNettle

/// AES-128 in Galois/Counter Mode (NIST SP 800-38D), without associated data, by Nettle.
public struct AuthenticatedCipher: Sendable {
  private let key: [UInt8]
  private let nonce: [UInt8]

  /// A cipher for one message. Never use the same key and nonce twice: that would reveal both messages.
  ///
  /// - Parameters:
  ///   - key: 16 bytes.
  ///   - nonce: 12 bytes.
  public init(key: [UInt8], nonce: [UInt8]) {
    precondition(key.count == Int(AES128_KEY_SIZE) && nonce.count == Int(GCM_IV_SIZE))
    self.key = key
    self.nonce = nonce
  }

  /// The encrypted bytes, followed by 16 bytes that detect changes.
  public func seal(_ bytes: [UInt8]) -> [UInt8] {
    var context = context()
    var sealed = [UInt8](repeating: 0, count: bytes.count)
    nettle_gcm_aes128_encrypt(&context, bytes.count, &sealed, bytes)
    return sealed + tag(&context)
  }

  /// Decrypts sealed bytes; `nil` if they were changed, or have another key or nonce.
  public func open(_ sealed: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Int(GCM_DIGEST_SIZE) else { return nil }
    let count = sealed.count - Int(GCM_DIGEST_SIZE)
    var context = context()
    var bytes = [UInt8](repeating: 0, count: count)
    nettle_gcm_aes128_decrypt(&context, count, &bytes, sealed)
    return MessageDigest.areEqual(tag(&context), Array(sealed[count...])) ? bytes : nil
  }

  private func context() -> gcm_aes128_ctx {
    var context = gcm_aes128_ctx()
    nettle_gcm_aes128_set_key(&context, key)
    nettle_gcm_aes128_set_iv(&context, nonce.count, nonce)
    return context
  }

  private func tag(_ context: inout gcm_aes128_ctx) -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: Int(GCM_DIGEST_SIZE))
    nettle_gcm_aes128_digest(&context, tag.count, &tag)
    return tag
  }
}
