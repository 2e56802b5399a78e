import FencepostJSON
import FencepostSpatiotemporal
import Foundation
import Testing

@Suite("JSON lines")
struct JSONLineTests {
  @Test(
    "Any text reads back",
    arguments: [
      "", "plain", "quote \" and \\ backslash", "tab\tnewline\nreturn\r", "\u{0}\u{1}\u{1F}\u{7F}",
      "Löwen-Apotheke 薬局 🏥", "\u{2028}\u{2029}",
      "\u{80}\u{9B}31m\u{9F}", "photo\u{202E}gpj.exe\u{2066}\u{61C}", "¢ ± “quoted” שלום سلام",
    ])
  func text(value: String) throws {
    var line = JSONLine(type: "test")
    line.add("value", value)
    #expect(!line.line.contains("\n"))
    #expect(!line.line.unicodeScalars.contains { $0.isControl || $0.isDirectionControl })
    let read = try JSONSerialization.jsonObject(with: Data(line.line.utf8)) as? [String: String]
    #expect(read == ["type": "test", "value": value])
  }

  @Test("Numbers are as short as possible, and null if JSON has no form for them")
  func numbers() {
    var line = JSONLine()
    line.add("whole", 52.0)
    line.add("part", 52.4883)
    line.add("large", 1e300)
    line.add("none", Double.nan)
    line.add("absent", nil as Double?)
    line.add("count", -3)
    line.add("list", ["a", "b"])
    line.add("flag", true)
    #expect(
      line.line
        == #"{"whole":52,"part":52.4883,"large":1e+300,"none":null,"absent":null,"count":-3,"list":["a","b"],"flag":true}"#
    )
  }
}
