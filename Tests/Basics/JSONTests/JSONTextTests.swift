import FencepostJSON
import FencepostTestSupport
import Testing

@Suite("JSON texts")
struct JSONTextTests {
  private func string(_ written: String) -> String {
    Array(written.utf8).withUnsafeBufferPointer { JSONText($0, hasEscapes: written.contains("\\")).string }
  }

  @Test(
    "The characters of escapes",
    arguments: [
      (#"plain ü"#, "plain ü"), (#"50.1\u00b0, 14\u00B0"#, "50.1°, 14°"), (#"a\/b"#, "a/b"),
      (#"\u002b02:00"#, "+02:00"), (#"\"\\\b\f\n\r\t"#, "\"\\\u{8}\u{c}\n\r\t"), (#"\u20ac"#, "€"),
      (#"\ud83d\ude00!"#, "😀!"), (#"\u0000x"#, "\u{0}x"),
      // Invalid escapes, which no encoder writes: halves of pairs, invalid digits, missing ends.
      (#"\ud83d"#, "\u{FFFD}"), (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"), (#"\ud83d\u0041"#, "\u{FFFD}A"),
      (#"\ud83d\n"#, "\u{FFFD}\n"), (#"\u12g4"#, "\u{FFFD}12g4"), (#"\u1"#, "\u{FFFD}1"), (#"\q"#, "q"),
      (#"x\"#, "x\\"),
    ])
  func escapes(written: String, text: String) {
    #expect(string(written) == text)
  }

  @Test("Text written with escapes reads back unchanged", arguments: 1...20 as ClosedRange<UInt64>)
  func property(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var text = "", written = ""
    for _ in 0..<100 {
      let ranges: [ClosedRange<UInt32>] = [
        0...0x7F, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF, 0x1_0000...0x10_FFFF,
      ]
      let range = ranges[Int.random(in: 0..<5, using: &random)]
      guard let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) else { continue }
      text.unicodeScalars.append(scalar)
      if Bool.random(using: &random), scalar != "\\" {
        written.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
          written += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    #expect(string(written) == text, "seed \(seed)")
  }
}
