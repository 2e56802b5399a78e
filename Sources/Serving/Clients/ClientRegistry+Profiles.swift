import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCryptography

/// One-time addresses that set up a device: each delivers the user and password of a client.
extension ClientRegistry {
  /// The setting for the last one: its expiry, the key's digest, the user, and the encrypted password.
  private static let setting = SecretSetting.profile
  /// Seconds for which it works.
  private static let profileSeconds = 600.0

  /// Makes a key for a one-time address, which works for ten minutes. An earlier one stops working.
  ///
  /// The store has the password only encrypted with this key, of which it keeps a digest.
  public func makeProfileKey(user: String, password: String) throws -> String {
    let key = Secret.key()
    let expires = clock().adding(seconds: Self.profileSeconds).microseconds
    let parts = [
      "\(expires)", MessageDigest.hexadecimal(key.digest), user,
      MessageDigest.hexadecimal(Self.encrypted(Array(password.utf8), with: key.text)),
    ]
    try store.write { try $0.setQuietly(parts.joined(separator: " "), for: Self.setting) }
    return key.text
  }

  /// Returns the user and password for a key. It works only once. `nil` for a wrong or old key.
  public func redeemProfile(key: String) throws -> (user: String, password: String)? {
    guard let found = try store.read({ try $0.setting(Self.setting) }) else { return nil }
    let parts = found.split(separator: " ").map(String.init)
    guard parts.count == 4, let expires = Int64(parts[0]), clock().microseconds < expires,
      MessageDigest.areEqual(MessageDigest.hexadecimal(Secret.digest(of: key)), parts[1])
    else { return nil }
    let isFirst = try store.write { writer in
      guard try writer.reader.setting(Self.setting) == found else { return false }
      try writer.setQuietly(nil, for: Self.setting)
      return true
    }
    let bytes = stride(from: 0, to: parts[3].count - 1, by: 2).compactMap { index in
      UInt8(parts[3].dropFirst(index).prefix(2), radix: 16)
    }
    let password = String(decoding: Self.encrypted(bytes, with: key), as: UTF8.self)
    return isFirst ? (parts[2], password) : nil
  }

  /// Encrypts or decrypts up to 64 bytes. Each key is used once, so its HMAC is a one-time pad.
  private static func encrypted(_ bytes: [UInt8], with key: String) -> [UInt8] {
    let pad = [0, 1].flatMap { MessageDigest.hmacSHA256([$0], key: Array(key.utf8)) }
    return zip(bytes, pad).map { $0 ^ $1 }
  }
}
