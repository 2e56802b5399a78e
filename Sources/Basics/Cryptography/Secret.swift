import Glibc

/// A secret that this program makes: random bytes from the system, as text.
public struct Secret: Hashable, Sendable {
  /// The secret, to show once and to send.
  public let text: String

  /// The digest that is stored instead of the secret.
  public var digest: [UInt8] { Secret.digest(of: text) }

  /// The digest of a received secret.
  public static func digest(of text: String) -> [UInt8] { MessageDigest.sha256(Array(text.utf8)) }

  /// A key of 256 bits for addresses and cookies: 43 characters of base64url (RFC 4648, section 5).
  public static func key() -> Secret {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    // 64 letters divide 256 evenly, so each letter is as likely as the others.
    return Secret(text: String(random(43).map { alphabet[Int($0 & 63)] }))
  }

  /// A password for a program that a person may have to type: 32 letters and digits in groups of four, 160
  /// bits.
  public static func password() -> Secret {
    // Crockford's base 32 in lower case: no i, l, o and u.
    let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
    let letters = random(32).map { alphabet[Int($0 & 31)] }
    return Secret(
      text: stride(from: 0, to: 32, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-"))
  }

  /// Random bytes from the system (random(7)).
  public static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}
