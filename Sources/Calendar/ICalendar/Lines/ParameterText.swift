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
