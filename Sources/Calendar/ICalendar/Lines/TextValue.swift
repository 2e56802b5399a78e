/// TEXT values (RFC 5545, section 3.3.11).
///
/// libical's decoder is not suitable: it drops the letter after a backslash that is not an escape. That breaks the
/// paths and patterns that careless programs write.
public enum TextValue {
  /// Decodes `bytes`: `\n` and `\N` are line breaks. It drops a backslash before `\`, `,`, `;`, `:` or `"` and keeps
  /// all others.
  public static func decode(_ bytes: ArraySlice<UInt8>) -> String {
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

  /// Encodes `text`. CRLF becomes one line break. It drops control characters, which RFC 5545 forbids.
  public static func encode(_ text: String) -> String {
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

  /// The values of a list of TEXT values, for example CATEGORIES.
  static func decodeList(_ bytes: [UInt8], _ range: Range<Int>) -> [String] {
    // Quotes have no meaning in a TEXT value, so `ContentLine.split` is not suitable.
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

  /// Encodes a list of TEXT values.
  static func encodeList(_ values: [String]) -> String { values.map(encode).joined(separator: ",") }

  /// True if `bytes` contain escapes, or bytes that need escaping.
  static func hasSpecialBytes(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { $0.contains(where: needsCare) }
  }

  private static func needsCare(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
      || byte == 0x7F
  }
}
