/// Percent-encoding of text in addresses (RFC 3986, section 2.1).
public enum PercentEncoding {
  /// Replaces each byte of `text` that is not unreserved (section 2.3) by `%` and two hexadecimal digits.
  public static func encode(_ text: some StringProtocol) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.append(byte)
      default:
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Replaces each `%` and two hexadecimal digits by the byte; `nil` if two digits are missing after a `%`,
  /// or the result is not UTF-8.
  public static func decode(_ text: some StringProtocol) -> String? {
    let (bytes, isWhole) = bytes(text, isForm: false)
    return isWhole ? String(validating: bytes, as: UTF8.self) : nil
  }

  /// Decodes `text` from anybody: a `%` without two digits stays, and bytes that are not UTF-8 become U+FFFD.
  ///
  /// - Parameter isForm: Whether `+` is a space, as in queries and forms.
  public static func decodeLeniently(_ text: some StringProtocol, isForm: Bool = false) -> String {
    String(decoding: bytes(text, isForm: isForm).decoded, as: UTF8.self)
  }

  /// The decoded bytes, and whether each `%` had its two digits.
  private static func bytes(_ text: some StringProtocol, isForm: Bool) -> (decoded: [UInt8], isWhole: Bool) {
    var decoded: [UInt8] = []
    var isWhole = true
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if isForm, byte == UInt8(ascii: "+") {
        decoded.append(ASCII.space)
      } else if byte == UInt8(ascii: "%") {
        if let high = rest.first.flatMap(value), let low = rest.dropFirst().first.flatMap(value) {
          decoded.append(high << 4 | low)
          rest = rest.dropFirst(2)
        } else {
          decoded.append(byte)
          isWhole = false
        }
      } else {
        decoded.append(byte)
      }
    }
    return (decoded, isWhole)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func value(of digit: UInt8) -> UInt8? {
    Character(Unicode.Scalar(digit)).hexDigitValue.map(UInt8.init)
  }
}
