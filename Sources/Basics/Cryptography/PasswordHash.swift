import CFencepostCrypt
import Glibc

/// The hash of a password that a person chose: yescrypt, like the passwords of Debian's users (crypt(5)).
///
/// Cost: some tenths of a second and 16 MB, on purpose.
public enum PasswordHash {
  /// A hash with its own salt; `nil` if libcrypt has no yescrypt.
  public static func make(_ password: String) -> String? {
    var setting = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
    let random = Secret.random(16).map { CChar(bitPattern: $0) }
    guard
      crypt_gensalt_rn("$y$", 0, random, Int32(random.count), &setting, Int32(setting.count)) != nil
    else { return nil }
    return hash(
      password,
      setting: String(decoding: setting.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// Whether `hash` was made from `password`.
  public static func matches(_ password: String, _ hash: String) -> Bool {
    // In C a zero byte would cut the password short.
    guard !password.utf8.contains(0), let made = self.hash(password, setting: hash) else { return false }
    return MessageDigest.areEqual(made, hash)
  }

  private static func hash(_ password: String, setting: String) -> String? {
    // 32 KB: too much for the stack of a small thread.
    let data = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
    data.initialize(to: crypt_data())
    defer { data.deallocate() }
    guard let made = crypt_rn(password, setting, data, Int32(MemoryLayout<crypt_data>.size)) else {
      return nil
    }
    let text = String(cString: made)
    // libcrypt's sign for a failure.
    return text.hasPrefix("*") ? nil : text
  }
}
