import FencepostAlgorithms
import FoundationEssentials

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
  static let words = ["from", "sendmail"]

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
