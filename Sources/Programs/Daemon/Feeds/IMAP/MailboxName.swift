/// Names of folders as IMAP has them: quoted, in modified UTF-7 (RFC 3501, section 5.1.3).
enum MailboxName {
  /// `name` as a quoted string of a command.
  static func quoted(_ name: String) -> String {
    let encoded = encoded(name).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(encoded)\""
  }

  /// `Entwürfe` as `Entw&APw-rfe`.
  static func encoded(_ name: String) -> String {
    var result = ""
    var others: [UInt16] = []
    func flush() {
      guard !others.isEmpty else { return }
      result += "&\(base64(others.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }))-"
      others = []
    }
    for unit in name.utf16 {
      guard (0x20...0x7E).contains(unit) else {
        others.append(unit)
        continue
      }
      flush()
      result += unit == 0x26 ? "&-" : String(UnicodeScalar(UInt8(unit)))
    }
    flush()
    return result
  }

  /// Base64 with a comma in place of the slash, and without padding.
  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,")
    var result = ""
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        result.append(digits[Int(bits >> count & 0x3F)])
      }
    }
    if count > 0 { result.append(digits[Int(bits << (6 - count) & 0x3F)]) }
    return result
  }
}
