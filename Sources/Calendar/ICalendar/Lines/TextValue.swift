/// TEXT values (RFC 5545, section 3.3.11).
///
/// libical's decoder is not suitable: it drops the letter after a backslash that is not an escape. That
/// breaks the paths and patterns that careless programs write.
public enum TextValue {
  /// Decodes `bytes`: `\n` and `\N` are line breaks. It drops a backslash before `\`, `,`, `;`, `:` or `"`
  /// and keeps all others.
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

/// Parameter values: quoted if RFC 5545 (section 3.2) requires it, with RFC 6868's escapes.
enum ParameterText {
  /// Decodes `raw`: removes surrounding quotes and replaces `^n`, `^'` and `^^`.
  static func decode(_ raw: String) -> String {
    guard raw.utf8.first == UInt8(ascii: "\"") || raw.utf8.contains(UInt8(ascii: "^")) else { return raw }
    var bytes = Array(raw.utf8)
    if bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") {
      bytes = Array(bytes[1..<bytes.count - 1])
    }
    guard bytes.contains(UInt8(ascii: "^")) else { return String(decoding: bytes, as: UTF8.self) }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let following = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch (bytes[index], following) {
      case (UInt8(ascii: "^"), UInt8(ascii: "n")): result.append(UInt8(ascii: "\n"))
      case (UInt8(ascii: "^"), UInt8(ascii: "'")): result.append(UInt8(ascii: "\""))
      case (UInt8(ascii: "^"), UInt8(ascii: "^")): result.append(UInt8(ascii: "^"))
      default:
        result.append(bytes[index])
        index -= 1
      }
      index += 2
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Encodes `text` without control characters, which have no encoding.
  static func encode(_ text: String) -> String {
    var result: [UInt8] = []
    var needsQuotes = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\n"): result += [UInt8(ascii: "^"), UInt8(ascii: "n")]
      case UInt8(ascii: "\""): result += [UInt8(ascii: "^"), UInt8(ascii: "'")]
      case UInt8(ascii: "^"): result += [UInt8(ascii: "^"), UInt8(ascii: "^")]
      case UInt8(ascii: "\t"): result.append(byte)
      case 0..<0x20, 0x7F: continue
      default:
        // A backslash needs quotes too: outside quotes, readers of Apple's files treat it as an escape.
        if [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "\\")].contains(byte) {
          needsQuotes = true
        }
        result.append(byte)
      }
    }
    let encoded = String(decoding: result, as: UTF8.self)
    return needsQuotes ? "\"\(encoded)\"" : encoded
  }
}

/// Writes content lines (RFC 5545, section 3.1), ended by CRLF and folded after 75 octets, never within a
/// character.
struct LineWriter {
  private static let limit = 75
  private(set) var bytes: [UInt8] = []

  /// The written text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes a line without control characters, because they would break it.
  mutating func line(_ line: String) {
    var column = 0
    var line = line
    line.withUTF8 { utf8 in
      if utf8.count <= LineWriter.limit, utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
        bytes.append(contentsOf: utf8)
        return
      }
      // Copied in pieces, because a text can have megabytes.
      var (start, index) = (0, 0)
      func copy() { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index])) }
      while index < utf8.count {
        let byte = utf8[index]
        let width = LineWriter.width(byte)
        if (byte < 0x20 && byte != UInt8(ascii: "\t")) || byte == 0x7F {
          copy()
          index += 1
          start = index
          continue
        }
        if column + width > LineWriter.limit {
          copy()
          start = index
          bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: " ")]
          column = 1
        }
        index = min(index + width, utf8.count)
        column += width
      }
      copy()
    }
    bytes.append(UInt8(ascii: "\r"))
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes lines that are joined by newlines.
  mutating func lines(_ text: String) {
    for part in text.split(separator: "\n") { line(String(part)) }
  }

  /// Clears the buffer.
  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  /// The number of bytes of the character that starts with `byte`.
  private static func width(_ byte: UInt8) -> Int {
    byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
  }
}
