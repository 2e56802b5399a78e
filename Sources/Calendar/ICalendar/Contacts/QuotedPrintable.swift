/// Quoted-printable (RFC 2045, section 6.7), the encoding of non-ASCII text in vCard 2.1.
enum QuotedPrintable {
  /// A property with a quoted-printable value, which may continue over several lines.
  struct Line {
    /// The property's name in upper case, with its group.
    let name: String
    private let isLatin: Bool
    private var value: [UInt8]

    /// The longest value, in bytes.
    private static let limit = 1 << 16

    /// `nil` if the line is not quoted-printable.
    init?(_ line: ContentLine) {
      guard !line.parameterRange.isEmpty else { return nil }
      // Version 2.1 may omit the parameter's name.
      let parameters = String(decoding: line.bytes[line.parameterRange], as: UTF8.self).uppercased()
      guard parameters.split(separator: ";").contains(where: { $0.hasSuffix("QUOTED-PRINTABLE") }) else {
        return nil
      }
      name = line.name
      isLatin = parameters.contains("ISO-8859-1") || parameters.contains("WINDOWS-1252")
      value = Array(line.bytes[line.valueRange])
    }

    /// True if the value continues in the next line.
    var isOpen: Bool { value.last == UInt8(ascii: "=") && value.count < Line.limit }

    /// Adds the next line.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
      if value.last == UInt8(ascii: "=") { value.removeLast() }
      value += bytes
    }

    /// The decoded value.
    var text: [UInt8] {
      let bytes = QuotedPrintable.decode(value)
      return isLatin ? Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8) : bytes
    }
  }

  /// Decodes `text`. Bytes that are not escapes stay as they are.
  static func decode(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "="), index + 2 < text.count, let high = digit(text[index + 1]),
        let low = digit(text[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
