import FencepostSpatiotemporal
import Testing

@Suite("Text without control characters")
struct ControlCharacterTests {
  @Test(
    "Spaces replace controls, and direction controls are removed",
    arguments: [
      ("", ""), ("Löwen-Apotheke 薬局 🏥", "Löwen-Apotheke 薬局 🏥"), ("a\tb\nc\r", "a b c "),
      ("\u{1B}[2J\u{9B}31m\u{7F}", " [2J 31m "), ("a\u{2028}b\u{2029}c", "a b c"),
      ("photo\u{202E}gpj.exe", "photogpj.exe"), ("\u{200E}a\u{200F}b\u{61C}c", "abc"),
      ("\u{202A}\u{202B}\u{202C}\u{202D}x\u{2066}\u{2067}\u{2068}\u{2069}", "x"),
      ("שלום ¢ ± “quoted” سلام", "שלום ¢ ± “quoted” سلام"),
    ])
  func plain(text: String, plain: String) { #expect(text.withoutControls == plain) }

  @Test("Every scalar is covered")
  func all() {
    for value in 0...0x10FFFF {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      let isControl =
        [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
      #expect(scalar.isControl == isControl)
      #expect(scalar.isDirectionControl == scalar.properties.isBidiControl)
      if isControl || scalar.isDirectionControl { #expect(String(scalar).mayHoldControls) }
    }
  }
}
