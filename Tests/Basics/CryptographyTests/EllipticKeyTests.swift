import Foundation
import Testing

@testable import FencepostCryptography

@Suite("Elliptic keys and encryption")
struct EllipticKeyTests {
  private func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0..<$0 + 2]), radix: 16)
    }
  }

  @Test("A common secret is that of RFC 5903, section 8.1, from both sides")
  func sharedSecret() throws {
    let i = try #require(
      EllipticKey(secret: bytes("c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433")))
    let r = try #require(
      EllipticKey(secret: bytes("c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53")))
    let common = bytes("d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de")
    #expect(i.sharedSecret(with: r.publicKey) == common)
    #expect(r.sharedSecret(with: i.publicKey) == common)
  }

  @Test("The public key is that of RFC 6979, A.2.5, and a signature of there is right")
  func signature() throws {
    let key = try #require(
      EllipticKey(secret: bytes("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")))
    #expect(
      key.publicKey
        == bytes(
          "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
        ))
    let signature = bytes(
      "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
    )
    #expect(EllipticKey.isSignature(signature, of: Array("sample".utf8), by: key.publicKey))
    #expect(!EllipticKey.isSignature(signature, of: Array("simple".utf8), by: key.publicKey))
    let own = key.signature(of: Array("sample".utf8))
    #expect(own.count == 64 && EllipticKey.isSignature(own, of: Array("sample".utf8), by: key.publicKey))
    #expect(!EllipticKey.isSignature(own, of: Array("sample".utf8), by: EllipticKey().publicKey))
    #expect(!EllipticKey.isSignature([UInt8](repeating: 0, count: 64), of: [], by: key.publicKey))
    #expect(!EllipticKey.isSignature([], of: [], by: key.publicKey))
  }

  @Test("What is no key is refused")
  func badKeys() {
    #expect(EllipticKey(secret: []) == nil)
    #expect(EllipticKey(secret: [UInt8](repeating: 0, count: 32)) == nil)
    #expect(EllipticKey(secret: [UInt8](repeating: 0xFF, count: 32)) == nil)
    let key = EllipticKey()
    var offCurve = key.publicKey
    offCurve[64] ^= 1
    let infinity: [UInt8] = [4] + [UInt8](repeating: 0, count: 64)
    for bad in [
      [], offCurve, infinity, [4] + [UInt8](repeating: 0xFF, count: 64), Array(key.publicKey.dropLast()),
    ] {
      #expect(!EllipticKey.isPublicKey(bad))
      #expect(key.sharedSecret(with: bad) == nil)
    }
    #expect(EllipticKey(secret: key.secret) == key && EllipticKey() != key)
  }

  @Test("AES-GCM seals as NIST's test case 2 has it, and opens only what was not changed")
  func cipher() {
    let cipher = AuthenticatedCipher(
      key: [UInt8](repeating: 0, count: 16), nonce: [UInt8](repeating: 0, count: 12))
    let sealed = cipher.seal([UInt8](repeating: 0, count: 16))
    #expect(sealed == bytes("0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"))
    #expect(cipher.open(sealed) == [UInt8](repeating: 0, count: 16))
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 0x10
      #expect(cipher.open(changed) == nil)
    }
    #expect(cipher.open([1, 2]) == nil && cipher.open(cipher.seal([])) == [])
  }

  @Test("Keys are derived as RFC 5869, A.1, has it")
  func derivation() {
    let key = KeyDerivation.sha256(
      [UInt8](repeating: 0x0B, count: 22), salt: Array(0...12), info: Array(0xF0...0xF9), count: 42)
    #expect(
      key == bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
  }

  @Test(
    "Base64 for addresses is read and written without padding",
    arguments: [("", []), ("-_8", [0xFB, 0xFF]), ("AQI", [1, 2]), ("AQID", [1, 2, 3])] as [(String, [UInt8])])
  func base64(text: String, bytes: [UInt8]) {
    #expect(Base64URL.encode(bytes) == text)
    #expect(Base64URL.decode(text) == bytes)
  }

  @Test("What is no base64url is nothing", arguments: ["+/8", "A", "A B", "ä", "AQ.."])
  func badBase64(text: String) { #expect(Base64URL.decode(text) == nil) }
}
