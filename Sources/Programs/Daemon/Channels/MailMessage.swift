import FencepostCalendarModel
import FoundationEssentials

/// A message in the form of RFC 5322, in UTF-8 (RFC 2045 to 2047).
struct MailMessage {
  var recipients: [String]
  /// `nil` for the mailer's default.
  var sender: String?
  var subject: String
  /// The source of the Message-ID: the same for the same message.
  var identifier: String
  /// The host name.
  var host: String
  var date: Instant
  var lines: [String]

  /// The whole message. Its lines end with a line feed, as programs on Linux expect.
  var text: String {
    var headers: [String] = []
    if let sender { headers.append("From: \(sender)") }
    headers += [
      "To: " + recipients.joined(separator: ",\n "),
      "Subject: " + MailMessage.encoded(subject),
      "Date: " + MailMessage.dateText(date),
      "Message-ID: <\(identifier)@\(MailMessage.domain(host))>",
      // Prevents automatic replies (RFC 3834).
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64",
    ]
    let options: Data.Base64EncodingOptions = [.lineLength76Characters, .endLineWithLineFeed]
    let body = Data(lines.map { $0 + "\r\n" }.joined().utf8).base64EncodedString(options: options)
    return headers.joined(separator: "\n") + "\n\n" + body + "\n"
  }

  /// Text for a header. Plain, short text stays as it is; other text becomes encoded words (RFC 2047, section
  /// 2), which do not split a character.
  static func encoded(_ text: String) -> String {
    let text = text.prefix(mostCharacters)
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
    if isPlain, text.utf8.count <= 60 { return String(text) }
    var words: [String] = []
    var word: [UInt8] = []
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      // 39 bytes are 52 characters of base64. Together with `Subject: `, the line is shorter than 76.
      if word.count + bytes.count > 39 {
        words.append(encodedWord(word))
        word.removeAll()
      }
      word += bytes
    }
    words.append(encodedWord(word))
    return words.joined(separator: "\n ")
  }

  /// Longer subjects are cut.
  private static let mostCharacters = 200

  private static func encodedWord(_ bytes: [UInt8]) -> String {
    "=?utf-8?B?\(Data(bytes).base64EncodedString())?="
  }

  /// A date in UTC (RFC 5322, section 3.3).
  static func dateText(_ instant: Instant) -> String {
    let civil = CivilDateTime(secondsSinceEpoch: instant.microseconds / 1_000_000)
    let parts = civil.day.components
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(parts.day) \(months[parts.month - 1]) \(parts.year) \(civil.description.suffix(8)) +0000"
  }

  private static func domain(_ host: String) -> String {
    let name = String(
      host.unicodeScalars.filter {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-.".unicodeScalars.contains($0))
      })
    return name.isEmpty || name.hasPrefix(".") || name.hasSuffix(".") ? "localhost" : name
  }
}
