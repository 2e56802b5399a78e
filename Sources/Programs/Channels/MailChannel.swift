import FencepostAddresses
import FencepostAlgorithms
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostSystem
import FoundationEssentials
import Glibc

/// `mailto:ADDRESS[,ADDRESS]…[?from=ADDRESS][&sendmail=/PATH]`: recipients, and the program that sends the
/// message.
public struct MailAddress: Hashable, Sendable, CustomStringConvertible {
  /// The recipients.
  public let recipients: [String]
  /// The sender; `nil` for the mailer's default.
  public let sender: String?
  /// The program, with the interface of sendmail(8).
  public let mailer: String

  /// The known parameters.
  package static let words = ["from", "sendmail"]

  init(_ words: inout AddressWords) throws(AddressError) {
    let names = words.base.dropFirst("mailto:".count)
    guard let decoded = PercentEncoding.decode(names) else {
      throw words.failure("'%' needs two hexadecimal digits after it")
    }
    recipients = decoded.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    sender = try words.take("from")
    mailer = try words.take("sendmail") ?? "/usr/sbin/sendmail"
    for address in recipients + [sender].compactMap(\.self) where !MailAddress.isPlain(address) {
      throw words.failure(
        "invalid mail address '\(address)'; use one such as mailto:anna@example.org")
    }
    guard mailer.hasPrefix("/") else {
      throw words.failure("the mailer must be an absolute path, as in sendmail=/usr/bin/msmtp")
    }
  }

  /// Without the mailer.
  public var description: String { "mailto:" + recipients.joined(separator: ",") }

  /// Whether it is an addr-spec of RFC 5322 without comments and quotes, or a local name. It must have no
  /// other meaning in a header or on a command line.
  private static func isPlain(_ address: String) -> Bool {
    let special = Set("()<>[]:;,\\\"".utf8)
    return !address.isEmpty && !address.hasPrefix("-") && address.utf8.count < 255
      && address.utf8.allSatisfy { (0x21...0x7E).contains($0) && !special.contains($0) }
      && address.split(separator: "@", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
      && address.utf8.count(where: { $0 == UInt8(ascii: "@") }) <= 1
  }
}

extension MailAddress: ChannelForm {
  package var unnamed: String { "'from' or 'sendmail'" }
  package var problem: String? { AccessCheck.problem(running: mailer) }
  package func open(_ context: ChannelContext) -> any Channel {
    MailChannel(self, words: NoticeWords(resolver: context.resolver))
  }
}

/// Writes a message for each firing and passes it to sendmail(8), which queues it.
///
/// Retries have the same Message-ID, so that a mailbox can detect duplicates. Exit status 0 means delivered;
/// 65 (EX_DATAERR) means permanent failure; others, such as 75 (EX_TEMPFAIL), cause a retry.
public final class MailChannel: Channel {
  private let address: MailAddress
  private let program: ChildProgram
  private let words: NoticeWords
  private let host = MailChannel.hostName()

  /// A channel to the recipients of an address.
  public init(_ address: MailAddress, words: NoticeWords) {
    self.address = address
    self.words = words
    // -i: a line with a single dot does not end the message; -t: the recipients are in it.
    program = ChildProgram(path: address.mailer, arguments: ["-i", "-t"])
  }

  /// Passes the message to the program.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let message = MailMessage(
      recipients: address.recipients, sender: address.sender, subject: words.title(delivery.notice),
      identifier: delivery.identifier, host: host, date: delivery.notice.time,
      lines: words.lines(delivery.notice))
    do {
      try program.deliver(Array(message.text.utf8), timeout: 60)
    } catch {
      var failure = error
      failure.description = "\(program.path): \(error)"
      throw failure
    }
  }

  private static func hostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

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
