import FencepostAlgorithms
import FencepostTestSupport
import Testing

@Suite("Decimal numbers from bytes")
struct DecimalNumberTests {
  private func parse(_ text: String, decimalComma: Bool = false) -> Double? {
    DecimalNumber.parse(text.utf8.span, decimalComma: decimalComma)
  }

  @Test(
    "A number has the same value as in the standard library",
    arguments: [
      "0", "-0", "+1", "1.", ".5", "-.5", "52.5200066", "-122.0835394136759", "9007199254740992",
      "9007199254740993",
      "37.39510093925015", "123456789012345678901234567890", "0.000000000000000000000000000001", "1e22",
      "1e23", "1E-22",
      "1.7976931348623157e308", "4.9e-324", "2.2250738585072011e-308", "179.99999999999999999",
      "00000000000000000000000001.5",
      "0.1e1", "1e-9999999999999", "8.5e+1",
    ])
  func asStandardLibrary(text: String) throws {
    let expected = try #require(Double(text.hasSuffix(".") ? text + "0" : text))
    #expect(parse(text)?.bitPattern == expected.bitPattern)
  }

  @Test(
    "Invalid numbers are rejected",
    arguments: [
      "", " ", "-", "+", ".", "-.", "e5", "1e", "1e+", "1e5.", "--1", "1-", "1.2.3", " 1", "1 ", "0x10",
      "inf", "nan", "NaN",
      "infinity", "1e400", "-1e400", "1,5", "1_000", "١", String(repeating: "1", count: 65),
    ])
  func refused(text: String) { #expect(parse(text) == nil) }

  @Test("A comma is a decimal point if allowed")
  func comma() {
    #expect(parse("52,52", decimalComma: true) == 52.52)
    #expect(parse("52.52", decimalComma: true) == 52.52)
    #expect(parse("1.234,5", decimalComma: true) == nil)
    // Also on the slow path.
    #expect(parse("0,12345678901234567890123", decimalComma: true) == 0.12345678901234567890123)
  }

  @Test("Random numbers equal those of the standard library, to the last bit")
  func random() {
    var random = SeededRandom(seed: 754)
    for _ in 0..<20_000 {
      var text = Bool.random(using: &random) ? "-" : ""
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        text += "\(Int.random(in: 0...9, using: &random))"
      }
      if Bool.random(using: &random) {
        text += "."
        for _ in 0..<Int.random(in: 1...14, using: &random) {
          text += "\(Int.random(in: 0...9, using: &random))"
        }
      }
      if Int.random(in: 0..<4, using: &random) == 0 { text += "e\(Int.random(in: -40...40, using: &random))" }
      #expect(parse(text)?.bitPattern == Double(text)?.bitPattern, "seed 754: \(text)")
    }
    for _ in 0..<5000 {
      let value = Double.random(in: -180...180, using: &random)
      #expect(parse("\(value)") == value, "seed 754: \(value)")
    }
  }
}
