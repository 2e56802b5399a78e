/// Lists of texts that are only ever read whole (categories, kept content lines, device names) stand in one
/// column as a JSON array of strings, so that `json_each` can take them apart. An empty list is no value.
enum StringList {
  /// The column's text for `list`.
  static func stored(_ list: [String]) -> String? {
    if list.isEmpty { return nil }
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for text in list {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
          bytes.append(UInt8(ascii: "\\"))
          bytes.append(byte)
        case 0..<0x20:
          bytes.append(contentsOf: "\\u00".utf8)
          bytes.append(hexDigit(byte >> 4))
          bytes.append(hexDigit(byte & 0xF))
        default: bytes.append(byte)
        }
      }
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: "]"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The list that the column's text spells; `nil` where ``stored(_:)`` did not write it.
  static func list(stored bytes: UnsafeRawBufferPointer) -> [String]? {
    var list: [String] = []
    var rest = bytes[...]
    guard rest.popFirst() == UInt8(ascii: "[") else { return nil }
    while true {
      guard rest.popFirst() == UInt8(ascii: "\""), let text = popText(&rest) else { return nil }
      list.append(text)
      switch rest.popFirst() {
      case UInt8(ascii: ","): continue
      case UInt8(ascii: "]") where rest.isEmpty: return list
      default: return nil
      }
    }
  }

  /// Takes a string up to its closing quotation mark off the front.
  private static func popText(_ rest: inout Slice<UnsafeRawBufferPointer>) -> String? {
    // Most have nothing to be unescaped in them.
    let plain = rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    rest = rest[plain.endIndex...]
    if rest.first == UInt8(ascii: "\"") {
      rest.removeFirst()
      return String(decoding: plain, as: UTF8.self)
    }
    var bytes = Array(plain)
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
      case UInt8(ascii: "\\"):
        switch rest.popFirst() {
        case UInt8(ascii: "u"):
          let digits = rest.prefix(4)
          guard digits.count == 4, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
          else { return nil }
          rest = rest.dropFirst(4)
          bytes.append(value)
        case let escaped?: bytes.append(escaped)
        case nil: return nil
        }
      default: bytes.append(byte)
      }
    }
    return nil
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
