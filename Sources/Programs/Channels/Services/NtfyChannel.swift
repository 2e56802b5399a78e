import FencepostAddresses
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostJSON
import FencepostSystem
import FencepostWebClient

/// `ntfy://[USER:PASSWORD@]HOST/TOPIC[?token-file=PATH&priority=4&tags=a,b&snooze=10m&secure=false]`: a topic
/// of an ntfy server.
public struct NtfyAddress: Hashable, Sendable, CustomStringConvertible {
  /// The server, with the topic as its path.
  package let server: MessageServer
  /// From 1, silent, to 5, urgent.
  let priority: Int
  /// Names of emojis or other words; empty for one of the kind of alarm.
  let tags: [String]
  /// The snooze time of the button, in seconds.
  let snooze: Double

  init(_ words: inout AddressParameters) throws(AddressError) {
    server = try MessageServer(&words, usage: "ntfy://HOST/TOPIC")
    guard (1...64).contains(server.path.utf8.count), server.path.utf8.allSatisfy(Self.isOfTopic) else {
      throw words.failure("a topic has up to 64 letters, digits, '-' and '_': use ntfy://HOST/TOPIC")
    }
    priority = try words.takeNumber("priority", in: 1...5, otherwise: 4)
    tags = (try words.take("tags") ?? "").split(separator: ",").map(String.init)
    snooze = try words.takeSnooze()
  }

  private static func isOfTopic(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
    default: false
    }
  }

  /// The server and the topic.
  public var description: String { "ntfy://\(server.place)/\(server.path)" }
}

extension NtfyAddress: ServerChannelForm {
  package static let words = MessageServer.words + ["priority", "tags", "snooze"]
  package var unnamed: String { "the token or a value after '?'" }
  package func open(_ context: ChannelContext) throws -> any Channel { try NtfyChannel(self, context) }
}

/// Publishes each notice to a topic of an ntfy server (https://docs.ntfy.sh/publish/), with Done and Snooze,
/// which the phone sends to this machine if it can reach it.
///
/// A retry, and a later content of a suggestion, has the same sequence: servers from 2.16 on let it take the
/// place of the first.
public final class NtfyChannel: Channel {
  private let address: NtfyAddress
  private let words: NoticeWords
  private let answers: AnswerLinks?
  private let sender: DeliveryClient
  private let token: String?

  /// A longer message becomes an attachment, which nobody reads on a lock screen.
  private static let maximumMessageBytes = 4_096
  private static let maximumTitleBytes = 250
  /// Phones show it without a sound.
  private static let quietPriority = 2

  init(_ address: NtfyAddress, _ context: ChannelContext) throws {
    self.address = address
    words = NoticeWords(resolver: context.resolver)
    answers = context.answers
    sender = try DeliveryClient()
    token = try address.server.tokenText()
  }

  /// Publishes the notice.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    guard !delivery.notice.isAnswered else { return }
    var request = HTTPClient.Request(
      url: address.server.origin + "/", headers: ["Content-Type: application/json"],
      body: Array(message(delivery).line.utf8))
    if let token { request.headers.append("Authorization: Bearer \(token)") }
    if let user = address.server.user, let password = address.server.password {
      request.authentication = .basic(user: user, password: password)
    }
    _ = try sender.send(request) { .init(reason: $0["error"]?.text) }
  }

  private func message(_ delivery: Delivery) -> JSONLine {
    let notice = delivery.notice
    var line = JSONLine()
    line.add("topic", address.server.path)
    line.add("title", words.title(notice).cut(toBytes: Self.maximumTitleBytes))
    line.add("message", words.lines(notice).joined(separator: "\n").cut(toBytes: Self.maximumMessageBytes))
    line.add("priority", delivery.isQuiet ? min(address.priority, Self.quietPriority) : address.priority)
    line.add("tags", address.tags.isEmpty ? [notice.originalKind.emojiName] : address.tags)
    line.add("sequence_id", delivery.place)
    if let answers {
      line.add("click", answers.page(notice))
      if let entry = notice.firing, let actions = try? actions(entry, answers) {
        line.add("actions", actions)
      }
      if case .suggestion(let suggestion) = notice, let actions = try? actions(suggestion, answers) {
        line.add("actions", actions)
      }
    }
    return line
  }

  private func actions(_ entry: LedgerEntry, _ answers: AnswerLinks) throws -> [JSONLine] {
    let done = entry.context?.isReminder == false ? "Seen" : "Done"
    return [
      Self.action(done, try answers.done(entry)),
      Self.action("Snooze", try answers.snooze(entry, seconds: address.snooze)),
    ]
  }

  /// Wiping the notification away is `Not now`.
  private func actions(_ suggestion: Suggestion, _ answers: AnswerLinks) throws -> [JSONLine] {
    try words.buttons(.suggestion(suggestion)).filter { $0 != .later }.map {
      Self.action($0.label, try answers.answer(suggestion, $0))
    }
  }

  private static func action(_ label: String, _ request: AnswerLinks.Request) -> JSONLine {
    var headers = JSONLine()
    for (name, value) in request.headers { headers.add(name, value) }
    var line = JSONLine()
    line.add("action", "http")
    line.add("label", label)
    line.add("url", request.url)
    line.add("method", "POST")
    line.add("headers", headers)
    line.add("body", request.body)
    // The notification goes once the request has succeeded.
    line.add("clear", true)
    return line
  }
}

extension Notice.Kind {
  /// The short name of an emoji.
  fileprivate var emojiName: String {
    switch self {
    case .enter, .leave, .dwell: "round_pushpin"
    case .absolute, .relative: "alarm_clock"
    case .suggestion: "incoming_envelope"
    }
  }
}
