import FencepostAddresses
public import FencepostCalendarStore
import FencepostJSON
import FencepostSystem
import FencepostWebClient

/// `gotify://HOST[/PATH]?token-file=PATH[&priority=8&secure=false]`: an application of a Gotify server.
public struct GotifyAddress: Hashable, Sendable, CustomStringConvertible {
  /// The server.
  package let server: MessageServer
  /// From 0, silent, to 10.
  let priority: Int

  init(_ words: inout AddressParameters) throws(AddressError) {
    let usage = "gotify://HOST?token-file=/PATH"
    server = try MessageServer(&words, usage: usage)
    guard server.token != nil else { throw words.failure("missing the application's token: use \(usage)") }
    priority = try words.takeNumber("priority", in: 0...10, otherwise: 8)
  }

  /// The server.
  public var description: String {
    "gotify://\(server.place)" + (server.path.isEmpty ? "" : "/\(server.path)")
  }
}

extension GotifyAddress: ServerChannelForm {
  package static let words = MessageServer.words + ["priority"]
  package var unnamed: String { "the token or the priority" }
  package func open(_ context: ChannelContext) throws -> any Channel { try GotifyChannel(self, context) }
}

/// Posts each notice to a Gotify server (https://gotify.net/api-docs). A click opens the web app; Gotify has
/// no buttons.
public final class GotifyChannel: Channel {
  private let address: GotifyAddress
  private let words: NoticeWords
  private let answers: AnswerLinks?
  private let sender: DeliveryClient
  private let token: String

  /// Phones show it without a sound.
  private static let quietPriority = 3

  init(_ address: GotifyAddress, _ context: ChannelContext) throws {
    self.address = address
    words = NoticeWords(resolver: context.resolver)
    answers = context.answers
    sender = try DeliveryClient()
    token = try address.server.tokenText() ?? ""
  }

  /// Posts the notice.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let notice = delivery.notice
    guard !notice.isAnswered else { return }
    var message = JSONLine()
    message.add("title", words.title(notice))
    message.add("message", words.lines(notice).joined(separator: "\n"))
    message.add("priority", delivery.isQuiet ? min(address.priority, Self.quietPriority) : address.priority)
    if let answers {
      var click = JSONLine()
      click.add("url", answers.page(notice))
      var notification = JSONLine()
      notification.add("click", click)
      var extras = JSONLine()
      extras.add("client::notification", notification)
      message.add("extras", extras)
    }
    let path = address.server.path.isEmpty ? "" : "/\(address.server.path)"
    let request = HTTPClient.Request(
      url: "\(address.server.origin)\(path)/message",
      headers: ["Content-Type: application/json", "X-Gotify-Key: \(token)"], body: Array(message.line.utf8))
    _ = try sender.send(request) { .init(reason: $0["errorDescription"]?.text ?? $0["error"]?.text) }
  }
}
