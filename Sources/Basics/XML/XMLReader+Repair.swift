extension XMLReader {
  /// A document in UTF-8 without what XML 1.0 forbids in it (section 2.2): most control characters, as bytes
  /// or as references such as `&#11;`, and what is no UTF-8. Some servers copy these from their data into
  /// their answers, and no reader of XML accepts them.
  ///
  /// Cost: a nanosecond a byte, and the memory of the document.
  public static func withoutForbiddenCharacters(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    /// Within a CDATA section a reference is plain text.
    var isInSection = false
    while place < bytes.count {
      let rest = bytes[place...]
      switch bytes[place] {
      case 0x26 where !isInSection:
        if let (value, count) = reference(rest), !isAllowed(value) {
          place += count
          continue
        }
      case 0x3C where rest.starts(with: "<![CDATA[".utf8): isInSection = true
      case 0x5D where rest.starts(with: "]]>".utf8): isInSection = false
      case let byte where byte < 0x20 && !isAllowed(UInt32(byte)):
        place += 1
        continue
      default: break
      }
      result.append(bytes[place])
      place += 1
    }
    // Replaces what is no UTF-8, so that only two forbidden characters may be left.
    let text = String(decoding: result, as: UTF8.self)
    guard text.unicodeScalars.contains(where: { !isAllowed($0.value) }) else { return Array(text.utf8) }
    return Array(String(String.UnicodeScalarView(text.unicodeScalars.filter { isAllowed($0.value) })).utf8)
  }

  /// The character of a numeric reference at the start of `bytes`, and its length in bytes; `nil` if there is
  /// none.
  private static func reference(_ bytes: ArraySlice<UInt8>) -> (value: UInt32, count: Int)? {
    let text = String(decoding: bytes.prefix(16), as: UTF8.self)
    guard let found = text.prefixMatch(of: /&#(x[0-9A-Fa-f]+|[0-9]+);/) else { return nil }
    let isHexadecimal = found.1.first == "x"
    guard let value = UInt32(isHexadecimal ? found.1.dropFirst() : found.1, radix: isHexadecimal ? 16 : 10)
    else {
      return nil
    }
    return (value, found.0.utf8.count)
  }

  /// Whether XML 1.0 allows a character.
  private static func isAllowed(_ value: UInt32) -> Bool {
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
