/// Escapes texts for XML and HTML.
public enum XMLEscaping {
  /// Where a text goes.
  public enum Context: Sendable {
    /// Between tags.
    case text
    /// Between tags, or in quotes of either kind.
    case attribute
  }

  /// `text`, escaped. Cost: linear.
  public static func escaped(_ text: String, in context: Context = .text) -> String {
    if isPlain(text) { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 16)
    append(text, to: &bytes, in: context)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends `text`, escaped.
  ///
  /// A carriage return becomes a reference, because parsers would drop it; so do tabs and line ends in
  /// attributes. What XML 1.0 has no way to write (section 2.2) becomes U+FFFD. Cost: linear.
  public static func append(_ text: String, to bytes: inout [UInt8], in context: Context) {
    if isPlain(text) { return bytes.append(contentsOf: text.utf8) }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case 0x0D: bytes += "&#13;".utf8
      case UInt8(ascii: "\"") where context == .attribute: bytes += "&quot;".utf8
      case UInt8(ascii: "'") where context == .attribute: bytes += "&#39;".utf8
      case 0x09 where context == .attribute: bytes += "&#9;".utf8
      case 0x0A where context == .attribute: bytes += "&#10;".utf8
      case 0x09, 0x0A: bytes.append(byte)
      case 0..<0x20: bytes += "\u{FFFD}".utf8
      // The last byte of U+FFFE and U+FFFF, whose first two are those of U+FFFD.
      case 0xBE where endsInNoncharacter(bytes), 0xBF where endsInNoncharacter(bytes): bytes.append(0xBD)
      default: bytes.append(byte)
      }
    }
  }

  /// Whether a byte 0xBE or 0xBF after these would end U+FFFE or U+FFFF.
  private static func endsInNoncharacter(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 2 && bytes[bytes.count - 1] == 0xBF && bytes[bytes.count - 2] == 0xEF
  }

  /// Whether nothing in `text` needs to be escaped anywhere: so are most addresses, tags and numbers.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      // 0xEF begins the characters that XML can't contain.
      case 0..<0x20, 0xEF, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
        UInt8(ascii: "'"):
        false
      default: true
      }
    }
  }
}
