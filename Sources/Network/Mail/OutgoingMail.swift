import FencepostAlgorithms
public import FencepostSpatiotemporal
import FoundationEssentials
import Glibc

/// A message in the form of RFC 5322, in UTF-8 (RFC 2045 to 2047).
public struct OutgoingMail: Hashable, Sendable {
  /// A calendar in a mail (RFC 6047).
  public struct Calendar: Hashable, Sendable {
    /// The iCalendar text.
    public var text: String
    /// Its METHOD.
    public var method: String

    /// A calendar.
    public init(text: String, method: String) {
      self.text = text
      self.method = method
    }
  }

  /// The addresses of the recipients.
  public var recipients: [String]
  /// The address of the sender; `nil` for the mailer's default.
  public var sender: String?
  /// The subject; a long one is cut.
  public var subject: String
  /// The source of the Message-ID: the same for the same message.
  public var identifier: String
  /// The name of this machine.
  public var host: String
  /// The time in Date.
  public var date: Instant
  /// The text for people, by lines.
  public var lines: [String]
  /// The calendar for programs; `nil` for a text alone.
  public var calendar: Calendar?
  /// Whether a program wrote it without a person, so that no program answers it (RFC 3834).
  public var isAutomatic = true

  /// A message with a text.
  public init(
    recipients: [String], sender: String?, subject: String, identifier: String,
    host: String = OutgoingMail.hostName(), date: Instant, lines: [String]
  ) {
    self.recipients = recipients
    self.sender = sender
    self.subject = subject
    self.identifier = identifier
    self.host = host
    self.date = date
    self.lines = lines
  }

  /// The whole message. Its lines end with a line feed, as programs on Linux expect.
  public var text: String {
    var headers: [String] = []
    if let sender { headers.append("From: \(sender)") }
    headers += [
      "To: " + recipients.joined(separator: ",\n "),
      "Subject: " + Self.encoded(subject),
      "Date: " + Self.dateText(date),
      "Message-ID: <\(identifier)@\(Self.domain(host))>",
    ]
    if isAutomatic { headers.append("Auto-Submitted: auto-generated") }
    headers.append("MIME-Version: 1.0")
    let plain = Self.part("text/plain; charset=utf-8", lines.map { $0 + "\r\n" }.joined())
    guard let calendar else { return (headers + [plain]).joined(separator: "\n") }
    // Base64 has no hyphens in pairs, so this is not in a part.
    let boundary = "--=_\(identifier.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(40))"
    headers.append("Content-Type: multipart/alternative; boundary=\"\(boundary)\"")
    let method = calendar.method.filter { $0.isASCII && $0.isLetter }
    let parts = [plain, Self.part("text/calendar; charset=utf-8; method=\(method)", calendar.text)]
    return headers.joined(separator: "\n") + "\n\n"
      + parts.map { "--\(boundary)\n\($0)" }.joined() + "--\(boundary)--\n"
  }

  private static func part(_ type: String, _ content: String) -> String {
    let options: Data.Base64EncodingOptions = [.lineLength76Characters, .endLineWithLineFeed]
    return """
      Content-Type: \(type)
      Content-Transfer-Encoding: base64

      \(Data(content.utf8).base64EncodedString(options: options))

      """
  }

  /// Whether a text is an addr-spec of RFC 5322 without comments and quotes, or a local name. It must have no
  /// other meaning in a header or on a command line.
  public static func isPlainAddress(_ address: String) -> Bool {
    let special = Set("()<>[]:;,\\\"".utf8)
    return !address.isEmpty && !address.hasPrefix("-") && address.utf8.count < 255
      && address.utf8.allSatisfy { (0x21...0x7E).contains($0) && !special.contains($0) }
      && address.split(separator: "@", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
      && address.utf8.count(where: { $0 == UInt8(ascii: "@") }) <= 1
  }

  /// Text for a header. Plain, short text stays as it is; other text becomes encoded words (RFC 2047, section
  /// 2), which do not split a character.
  static func encoded(_ text: String) -> String {
    let text = text.prefix(maximumCharacters)
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
  private static let maximumCharacters = 200

  private static func encodedWord(_ bytes: [UInt8]) -> String {
    "=?utf-8?B?\(Data(bytes).base64EncodedString())?="
  }

  /// A date in UTC (RFC 5322, section 3.3).
  static func dateText(_ instant: Instant) -> String {
    let civil = CivilDateTime(secondsSinceEpoch: instant.microseconds / 1_000_000)
    let parts = civil.day.components
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(parts.day) \(months[parts.month - 1]) \(parts.year) \(civil.clock) +0000"
  }

  static func domain(_ host: String) -> String {
    let name = String(
      host.unicodeScalars.filter {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-.".unicodeScalars.contains($0))
      })
    return name.isEmpty || name.hasPrefix(".") || name.hasSuffix(".") ? "localhost" : name
  }

  /// The name of this machine.
  public static func hostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
