/// Percent-encoding (RFC 3986, section 2.1), as requests use it.
public enum PercentCoding {
  /// `text` with its escapes resolved. What is no escape stays as it is.
  ///
  /// - Parameter isForm: Whether `+` stands for a space, as in queries and forms.
  public static func decode(_ text: some StringProtocol, isForm: Bool = false) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if isForm && byte == UInt8(ascii: "+") {
        bytes.append(0x20)
      } else if byte == UInt8(ascii: "%"), rest.count >= 2, let high = digit(rest[rest.startIndex]),
        let low = digit(rest[rest.startIndex + 1])
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `text` with all but letters, digits and `-._~` escaped.
  public static func encode(_ text: some StringProtocol) -> String {
    let digits = Array("0123456789ABCDEF")
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        encoded.append("%")
        encoded.append(digits[Int(byte >> 4)])
        encoded.append(digits[Int(byte & 15)])
      }
    }
    return encoded
  }

  /// The fields of a query or of a form (application/x-www-form-urlencoded).
  public static func fields(_ text: some StringProtocol) -> [HTTPHead.Field] {
    text.split(separator: "&").map { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return HTTPHead.Field(
        name: decode(parts[0], isForm: true), value: parts.count > 1 ? decode(parts[1], isForm: true) : "")
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
