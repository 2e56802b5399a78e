import CFencepostNettle

/// SHA-256 (FIPS 180-4) and HMAC with it (RFC 2104), by Nettle.
public enum MessageDigest {
  /// The 32 bytes of the SHA-256 of `bytes`.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var context = sha256_ctx()
    nettle_sha256_init(&context)
    nettle_sha256_update(&context, bytes.count, bytes)
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_digest(&context, digest.count, &digest)
    return digest
  }

  /// The SHA-256 of bytes that come in parts.
  public struct SHA256 {
    private var context = sha256_ctx()

    /// Of no bytes yet.
    public init() { nettle_sha256_init(&context) }

    /// Adds bytes.
    public mutating func update(_ bytes: ArraySlice<UInt8>) {
      bytes.withUnsafeBufferPointer { nettle_sha256_update(&context, $0.count, $0.baseAddress) }
    }

    /// The 32 bytes of the digest.
    public mutating func finish() -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
      nettle_sha256_digest(&context, digest.count, &digest)
      return digest
    }
  }

  /// The 32 bytes of the HMAC-SHA256 of `bytes` under `key`.
  public static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var context = hmac_sha256_ctx()
    nettle_hmac_sha256_set_key(&context, key.count, key)
    nettle_hmac_sha256_update(&context, bytes.count, bytes)
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_hmac_sha256_digest(&context, digest.count, &digest)
    return digest
  }

  /// Bytes as hexadecimal digits in lower case.
  public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The beginning of the SHA-256 of `bytes`, as hexadecimal digits in lower case.
  public static func digits(of bytes: [UInt8], count: Int = 64) -> String {
    String(hexadecimal(sha256(bytes)).prefix(count))
  }

  /// The beginning of the SHA-256 of a text in UTF-8, as hexadecimal digits in lower case.
  public static func digits(of text: String, count: Int = 64) -> String {
    digits(of: Array(text.utf8), count: count)
  }

  /// Whether two texts are equal. Compares their complete digests, so the time depends neither on where they
  /// differ nor on the length of `secret`.
  public static func areEqual(_ offered: String, _ secret: String) -> Bool {
    areEqual(sha256(Array(offered.utf8)), sha256(Array(secret.utf8)))
  }

  /// Whether two digests are the same, in a time that does not depend on where they differ.
  public static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && nettle_memeql_sec(a, b, a.count) == 1
  }
}
