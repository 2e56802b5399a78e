import Testing

@testable import FencepostAlgorithms

@Suite("Percent-encoding")
struct PercentEncodingTests {
  @Test(
    "Escapes are decoded once, and other text stays",
    arguments: [
      ("%20", " "), ("a+b", "a+b"), ("%2", "%2"), ("%zz", "%zz"), ("%2525", "%25"), ("%C3%A4", "ä"),
      ("%FF", "\u{FFFD}"), ("%", "%"),
    ])
  func lenient(encoded: String, decoded: String) {
    #expect(PercentEncoding.decodeLeniently(encoded) == decoded)
  }

  @Test("A plus is a space only in a form")
  func forms() { #expect(PercentEncoding.decodeLeniently("a+b%2B", isForm: true) == "a b+") }

  @Test(
    "The strict form refuses a broken escape and what is not UTF-8", arguments: ["%2", "%zz", "%FF", "a%"])
  func strict(encoded: String) { #expect(PercentEncoding.decode(encoded) == nil) }

  @Test("Encoded text decodes to itself", arguments: ["", "a b", "ä/ö?&=#%+", "\u{0}\r\n", "a@b~c"])
  func roundTrip(text: String) {
    #expect(PercentEncoding.decode(PercentEncoding.encode(text)) == text)
    #expect(PercentEncoding.decodeLeniently(PercentEncoding.encode(text)) == text)
  }
}
