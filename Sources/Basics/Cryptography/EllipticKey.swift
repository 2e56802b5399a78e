import CFencepostHogweed

/// A private key of the curve P-256 (FIPS 186-4, also called secp256r1), by Hogweed.
///
/// Cost: about half a millisecond for each operation.
public struct EllipticKey: Hashable, Sendable {
  /// The private number: 32 bytes, big-endian.
  public let secret: [UInt8]
  /// The public point as 65 bytes: 4, then 32 bytes of x and of y (SEC 1, section 2.3.3, uncompressed).
  public let publicKey: [UInt8]

  /// A new random key.
  public init() {
    let scalar = CurveScalar.random()
    secret = scalar.bytes
    publicKey = CurvePoint(product: scalar).bytes
  }

  /// The key with a private number; `nil` if that is not 32 bytes, is zero, or is not below the curve's
  /// order.
  public init?(secret: [UInt8]) {
    guard let scalar = CurveScalar(secret) else { return nil }
    self.secret = secret
    publicKey = CurvePoint(product: scalar).bytes
  }

  /// Whether 65 bytes are a point of the curve.
  public static func isPublicKey(_ bytes: [UInt8]) -> Bool { CurvePoint(bytes) != nil }

  /// The secret that the owner of `publicKey` computes too: 32 bytes, x of the common point (ECDH; SP
  /// 800-56A).
  ///
  /// - Returns: `nil` if `publicKey` is not a point of the curve.
  public func sharedSecret(with publicKey: [UInt8]) -> [UInt8]? {
    guard let scalar = CurveScalar(secret), let point = CurvePoint(publicKey) else { return nil }
    return Array(CurvePoint(product: scalar, point).bytes[1..<33])
  }

  /// The signature of a message by ECDSA with SHA-256: 32 bytes of r and 32 of s, as in ES256 (RFC 7518,
  /// section 3.4).
  public func signature(of message: [UInt8]) -> [UInt8] {
    guard let scalar = CurveScalar(secret) else { preconditionFailure("the secret was checked") }
    let digest = MessageDigest.sha256(message)
    var signature = dsa_signature()
    nettle_dsa_signature_init(&signature)
    defer { nettle_dsa_signature_clear(&signature) }
    nettle_ecdsa_sign(&scalar.raw, nil, randomBytes, digest.count, digest, &signature)
    return CurveNumber.bytes(&signature.r) + CurveNumber.bytes(&signature.s)
  }

  /// Whether 64 bytes are the signature of a message by the owner of `publicKey`.
  public static func isSignature(_ bytes: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
    guard bytes.count == 64, let point = CurvePoint(publicKey) else { return false }
    let digest = MessageDigest.sha256(message)
    var signature = dsa_signature()
    nettle_dsa_signature_init(&signature)
    defer { nettle_dsa_signature_clear(&signature) }
    nettle_mpz_set_str_256_u(&signature.r, 32, bytes)
    nettle_mpz_set_str_256_u(&signature.s, 32, Array(bytes[32...]))
    return nettle_ecdsa_verify(&point.raw, digest.count, digest, &signature) == 1
  }
}

/// The system's random bytes, in the form that Nettle needs.
private let randomBytes:
  @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<UInt8>?) -> Void = {
    _, count, bytes in
    for (index, byte) in Secret.random(count).enumerated() { bytes?[index] = byte }
  }

/// A private number in Hogweed's memory.
private final class CurveScalar {
  var raw = ecc_scalar()

  private init() { nettle_ecc_scalar_init(&raw, nettle_get_secp_256r1()) }
  deinit { nettle_ecc_scalar_clear(&raw) }

  convenience init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.init()
    guard CurveNumber.with(bytes, { nettle_ecc_scalar_set(&raw, $0) }) == 1 else { return nil }
  }

  static func random() -> CurveScalar {
    let scalar = CurveScalar()
    nettle_ecc_scalar_random(&scalar.raw, nil, randomBytes)
    return scalar
  }

  var bytes: [UInt8] {
    CurveNumber.with([0]) { number in
      nettle_ecc_scalar_get(&raw, number)
      return CurveNumber.bytes(number)
    }
  }
}

/// A point of the curve in Hogweed's memory.
private final class CurvePoint {
  var raw = ecc_point()

  private init() { nettle_ecc_point_init(&raw, nettle_get_secp_256r1()) }
  deinit { nettle_ecc_point_clear(&raw) }

  /// The point in 65 bytes; `nil` if they are not a point.
  convenience init?(_ bytes: [UInt8]) {
    guard bytes.count == 65, bytes[0] == 4 else { return nil }
    self.init()
    let isPoint = CurveNumber.with(Array(bytes[1..<33])) { x in
      CurveNumber.with(Array(bytes[33...])) { y in nettle_ecc_point_set(&raw, x, y) }
    }
    guard isPoint == 1 else { return nil }
  }

  /// The public point of a private number.
  convenience init(product scalar: CurveScalar) {
    self.init()
    nettle_ecc_point_mul_g(&raw, &scalar.raw)
  }

  /// A point times a private number.
  convenience init(product scalar: CurveScalar, _ point: CurvePoint) {
    self.init()
    nettle_ecc_point_mul(&raw, &scalar.raw, &point.raw)
  }

  var bytes: [UInt8] {
    CurveNumber.with([0]) { x in
      CurveNumber.with([0]) { y in
        nettle_ecc_point_get(&raw, x, y)
        return [4] + CurveNumber.bytes(x) + CurveNumber.bytes(y)
      }
    }
  }
}

/// GMP's numbers.
private enum CurveNumber {
  /// Converts big-endian bytes to a number for `body`, and frees it afterwards.
  static func with<Result>(_ bytes: [UInt8], _ body: (UnsafeMutablePointer<__mpz_struct>) -> Result) -> Result
  {
    var number = __mpz_struct()
    nettle_mpz_init_set_str_256_u(&number, bytes.count, bytes)
    defer { __gmpz_clear(&number) }
    return body(&number)
  }

  /// The 32 bytes of a number of the curve.
  static func bytes(_ number: UnsafePointer<__mpz_struct>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    nettle_mpz_get_str_256(32, &bytes, number)
    return bytes
  }
}
