import CalendarModel
import TestSupport
import Testing

@testable import PositionFeeds

@Suite("Texts in JSON")
struct JSONTextTests {
  private func string(_ written: String) -> String {
    Array(written.utf8).withUnsafeBufferPointer { JSONText($0, hasEscapes: written.contains("\\")).string }
  }

  @Test(
    "What an escape stands for",
    arguments: [
      (#"plain ü"#, "plain ü"), (#"50.1\u00b0, 14\u00B0"#, "50.1°, 14°"), (#"a\/b"#, "a/b"),
      (#"\u002b02:00"#, "+02:00"), (#"\"\\\b\f\n\r\t"#, "\"\\\u{8}\u{c}\n\r\t"), (#"\u20ac"#, "€"),
      (#"\ud83d\ude00!"#, "😀!"), (#"\u0000x"#, "\u{0}x"),
      // What no encoder writes: halves of pairs, digits that are none, ends that are missing.
      (#"\ud83d"#, "\u{FFFD}"), (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"), (#"\ud83d\u0041"#, "\u{FFFD}A"),
      (#"\ud83d\n"#, "\u{FFFD}\n"), (#"\u12g4"#, "\u{FFFD}12g4"), (#"\u1"#, "\u{FFFD}1"), (#"\q"#, "q"),
      (#"x\"#, "x\\"),
    ])
  func escapes(written: String, text: String) {
    #expect(string(written) == text)
  }

  @Test("Whatever is written with escapes is read as it was", arguments: 1...20 as ClosedRange<UInt64>)
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

  @Test("Keys, values, names of lists and of devices may all be written with escapes")
  func everywhere() throws {
    let timeline = try Reading(
      #"""
      {"semantic\u0053egments":[{"start\u0054ime":"2026-05-01T10:00:00\u002b02:00","endTime":"2026-05-01T09:00:00Z",
        "visit":{"topCandidate":{"placeLocation":{"latLng":"52.5\u00b0, 13.4\u00b0"}}}}]}
      """#)
    #expect(
      timeline.lines == ["| 2026-05-01T08:00:00Z 52.5,13.4", "2026-05-01T09:00:00Z 52.5,13.4"])
    let geoJSON = try Reading(
      #"""
      {"type":"FeatureCollection","features":[{"geometry":{"type":"\u0050oint","coordinates":["\u00313.4",52.5]},
        "properties":{"time":"2026\/05\/01 08:00:00","device":"J\u00fcrgens \ud83d\udcf1"}}]}
      """#)
    #expect(geoJSON.lines == ["| 2026-05-01T08:00:00Z 52.5,13.4"])
    #expect(geoJSON.devices.last == "Jürgens 📱")
    let ownTracks = try Reading(
      #"""
      {"_type":"location","lat":52.5,"lon":13.4,"tst":1777622400,"topic":"owntracks\/j\u00e4ne\/bike\/event"}
      {"_type":"location","lat":52.5,"lon":13.4,"tst":1777622401,"topic":"owntracks/jäne/bike"}
      {"_typ\u0065":"\u006cocation","lat":52.5,"lon":13.4,"tst":1777622402,"topic":"owntracks/jäne"}
      """#)
    #expect(ownTracks.devices == ["trace", "jäne/bike"])
    #expect(ownTracks.fixes.map(\.device.rawValue) == [1, 1, 0])
  }
}
