/// TEXT values (RFC 5545, section 3.3.11).
///
/// libical's reading of them is not used: it drops the letter after a backslash that escapes nothing, and
/// so mangles the paths and patterns that careless programs write.
enum TextValue {
  /// The text that `bytes` spell: `\n` and `\N` are line breaks, a backslash before `\`, `,`, `;`, `:` or `"`
  /// is dropped, any other is kept.
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isEscaped = false
    for byte in bytes {
      guard isEscaped else {
        if byte == UInt8(ascii: "\\") { isEscaped = true } else { result.append(byte) }
        continue
      }
      isEscaped = false
      switch byte {
      case UInt8(ascii: "n"), UInt8(ascii: "N"): result.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "\""):
        result.append(byte)
      default: result += [UInt8(ascii: "\\"), byte]
      }
    }
    if isEscaped { result.append(UInt8(ascii: "\\")) }
    return String(decoding: result, as: UTF8.self)
  }

  /// The spelling of `text`. CRLF becomes one line break; control characters, which RFC 5545 forbids, are
  /// left out.
  static func encode(_ text: String) -> String {
    guard text.utf8.contains(where: needsCare) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count + 8)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\n"): result += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: ";"): result += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\t"): result.append(byte)
      case 0..<0x20, 0x7F: continue
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The values of a list of TEXT values, such as CATEGORIES.
  static func decodeList(_ bytes: [UInt8], _ range: Range<Int>) -> [String] {
    // A quote has no meaning in a TEXT value, so this is not `ContentLine.split`.
    var values: [String] = []
    var start = range.lowerBound
    var index = start
    while index < range.upperBound {
      if bytes[index] == UInt8(ascii: "\\") {
        index += 1
      } else if bytes[index] == UInt8(ascii: ",") {
        values.append(decode(bytes[start..<index]))
        start = index + 1
      }
      index += 1
    }
    values.append(decode(bytes[start..<range.upperBound]))
    return values
  }

  /// The spelling of a list of TEXT values.
  static func encodeList(_ values: [String]) -> String { values.map(encode).joined(separator: ",") }

  /// True where a byte stands among `bytes` that is escaped, or escapes.
  static func hasSpecialBytes(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { $0.contains(where: needsCare) }
  }

  private static func needsCare(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
      || byte == 0x7F
  }
}
