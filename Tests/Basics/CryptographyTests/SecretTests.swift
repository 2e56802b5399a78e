import Testing

@testable import FencepostCryptography

@Suite("Secrets")
struct SecretTests {
  @Test("SHA-256 and HMAC are those of FIPS 180-4 and RFC 4231")
  func digests() {
    #expect(
      MessageDigest.hexadecimal(MessageDigest.sha256(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      MessageDigest.hexadecimal(
        MessageDigest.hmacSHA256(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  @Test("Secrets have the length that they say, and are different each time")
  func secrets() {
    let keys = (0..<50).map { _ in Secret.key().text }
    #expect(Set(keys).count == 50)
    #expect(keys.allSatisfy { $0.utf8.count == 43 && !$0.contains { "+/= ".contains($0) } })
    let password = Secret.password().text
    #expect(password.split(separator: "-").map(\.count) == Array(repeating: 4, count: 8))
  }

  @Test(
    "Only the same text is equal",
    arguments: [("a", "a", true), ("a", "b", false), ("", "", true), ("a", "aa", false)])
  func equality(a: String, b: String, isSame: Bool) {
    #expect(MessageDigest.areEqual(a, b) == isSame)
  }

  @Test("A password matches its own hash alone, and no hash is the same twice")
  func passwords() throws {
    let first = try #require(PasswordHash.make("a horse, correctly stapled"))
    let second = try #require(PasswordHash.make("a horse, correctly stapled"))
    #expect(first.hasPrefix("$y$") && first != second)
    #expect(PasswordHash.matches("a horse, correctly stapled", first))
    #expect(!PasswordHash.matches("a horse, correctly staple", first))
    #expect(!PasswordHash.matches("", first))
    for broken in ["", "*", "*0", "$y$", "$y$j9T$", "plain"] { #expect(!PasswordHash.matches("x", broken)) }
  }
}
