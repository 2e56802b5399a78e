import FencepostAddresses
import FencepostAlgorithms
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostMail
import FencepostSystem

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

  init(_ words: inout AddressParameters) throws(AddressError) {
    let names = words.base.dropFirst("mailto:".count)
    guard let decoded = PercentEncoding.decode(names) else {
      throw words.failure("'%' needs two hexadecimal digits after it")
    }
    recipients = decoded.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    sender = try words.take("from")
    mailer = try words.take("sendmail") ?? "/usr/sbin/sendmail"
    for address in recipients + [sender].compactMap(\.self) where !OutgoingMail.isPlainAddress(address) {
      throw words.failure(
        "invalid mail address '\(address)'; use one such as mailto:anna@example.org")
    }
    guard mailer.hasPrefix("/") else {
      throw words.failure("the mailer must be an absolute path, as in sendmail=/usr/bin/msmtp")
    }
  }

  /// Without the mailer.
  public var description: String { "mailto:" + recipients.joined(separator: ",") }
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
  private let host = OutgoingMail.hostName()

  /// A channel to the recipients of an address.
  public init(_ address: MailAddress, words: NoticeWords) {
    self.address = address
    self.words = words
    // -i: a line with a single dot does not end the message; -t: the recipients are in it.
    program = ChildProgram(path: address.mailer, arguments: ["-i", "-t"])
  }

  /// Passes the message to the program.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let message = OutgoingMail(
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
}
