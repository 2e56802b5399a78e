import CFencepostNettle

/// Keys made from a secret: HKDF with SHA-256 (RFC 5869), by Nettle.
public enum KeyDerivation {
  /// A key of `count` bytes, at most 8,160.
  ///
  /// - Parameters:
  ///   - secret: The source of the key.
  ///   - salt: Random bytes, which need not be secret.
  ///   - info: The purpose of the key.
  ///   - count: Its length in bytes.
  public static func sha256(_ secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: count)
    cnettle_hkdf_sha256(salt.count, salt, secret.count, secret, info.count, info, count, &key)
    return key
  }
}
