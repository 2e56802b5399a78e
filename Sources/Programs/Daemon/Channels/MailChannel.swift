import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostSystem
import Glibc

/// Writes a message for each firing and passes it to sendmail(8), which queues it.
///
/// Retries have the same Message-ID, so that a mailbox can detect duplicates. Exit status 0 means delivered;
/// 65 (EX_DATAERR) means permanent failure; others, such as 75 (EX_TEMPFAIL), cause a retry.
public final class MailChannel: Channel {
  private let address: MailAddress
  private let program: ChildProgram
  private let words: FiringWords
  private let host = MailChannel.hostName()

  /// A channel to the recipients of an address.
  public init(_ address: MailAddress, words: FiringWords) {
    self.address = address
    self.words = words
    // -i: a line with a single dot does not end the message; -t: the recipients are in it.
    program = ChildProgram(path: address.mailer, arguments: ["-i", "-t"])
  }

  /// Passes the message to the program.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let message = MailMessage(
      recipients: address.recipients, sender: address.sender, subject: words.title(delivery.entry),
      identifier: delivery.identifier, host: host, date: delivery.entry.firing.wentOffAt,
      lines: words.lines(delivery.entry))
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
