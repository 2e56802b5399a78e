import FencepostActions
import FencepostAddresses
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostClients
import FencepostJSON
package import FencepostSystem
package import FencepostWebClient
import FencepostXML
import FoundationEssentials

/// `telegram:CHAT?token-file=PATH[&snooze=10m&server=https://HOST]`: a chat of a bot. The chat is a number,
/// or the @name of a channel.
public struct TelegramAddress: Hashable, Sendable, CustomStringConvertible {
  /// The chat.
  let chat: String
  /// The bot's token.
  let token: ChannelSecret
  /// The snooze time of the button, in seconds.
  let snooze: Double
  /// The server of the Bot API, without a slash at the end.
  let server: String

  init(_ words: inout AddressParameters) throws(AddressError) {
    let usage = "telegram:CHAT?token-file=/PATH"
    chat = String(words.base.dropFirst("telegram:".count))
    guard Int64(chat) != nil || chat.wholeMatch(of: /@[A-Za-z0-9_]{4,}/) != nil else {
      throw words.failure("a chat is a number, or the @name of a channel: use \(usage)")
    }
    guard let token = try ChannelSecret("token", taking: &words) else {
      throw words.failure("missing the bot's token: use \(usage)")
    }
    self.token = token
    snooze = try words.takeSnooze()
    server = try words.take("server") ?? "https://api.telegram.org"
    let url = URL(string: server)
    guard HostName.isPrivate(scheme: url?.scheme, host: url?.host), url?.path.isEmpty == true else {
      throw words.failure("'server' is an address without a path, such as https://bots.example.org")
    }
  }

  /// The chat.
  public var description: String { "telegram:\(chat)" }

  /// The bot's token, which is a part of addresses.
  func tokenText() throws(SystemFailure) -> String {
    let text = try token.text()
    guard text.wholeMatch(of: /[0-9]+:[A-Za-z0-9_-]+/) != nil else {
      throw SystemFailure("use the bot's token", reason: "it is not such as 123456:ABC-def")
    }
    return text
  }
}

extension TelegramAddress: ChannelForm {
  package static let words = ChannelSecret.words("token") + ["snooze", "server"]
  package var unnamed: String { "the token or a value after '?'" }
  package var problem: String? { AccessCheck.problem { _ = try tokenText() } }
  package var destination: ServerCheck? { ServerCheck(url: server) }
  package var holdsSecret: Bool { token.isLiteral }
  package var secretFile: String? { token.file }
  package var backoff: Backoff { .ofServers }
  package func open(_ context: ChannelContext) throws -> any Channel { try TelegramChannel(self, context) }
}

/// Sends each notice to a chat (https://core.telegram.org/bots/api), with the buttons Done and Snooze.
///
/// Telegram does not call this machine. The channel asks it for pressed buttons (``TelegramAnswers``), so
/// they work without an address that phones can reach.
public final class TelegramChannel: Channel {
  private let address: TelegramAddress
  private let words: NoticeWords
  private let context: ChannelContext
  private let bot: TelegramBot
  private var answers: TelegramAnswers?
  /// The messages with buttons, by the key of their notice, the oldest first. After a restart they are forgotten;
  /// then an old button says that its alarm was answered.
  private var messages: [(key: String, number: Int)] = []

  /// The most messages whose buttons are watched.
  private static let maximumMessages = 200
  /// A text has at most 4,096 characters; of UTF-16, as Telegram counts.
  private static let maximumText = 4_000

  init(_ address: TelegramAddress, _ context: ChannelContext) throws {
    self.address = address
    self.context = context
    words = NoticeWords(resolver: context.resolver)
    bot = try TelegramBot(server: address.server, token: address.tokenText())
  }

  deinit { answers?.stop() }

  /// Begins to ask for pressed buttons, and takes away those of notices that were answered elsewhere.
  public func review(_ store: CalendarStore) throws {
    if answers == nil { answers = try TelegramAnswers(address, context) }
    guard !messages.isEmpty else { return }
    let settled = try store.read { reader in
      try Set(
        messages.map(\.key).filter { key in
          guard let notice = try reader.notice(key: key) else { return !Trial.isKey(key) }
          return try reader.isSettled(notice, resolver: context.resolver)
        })
    }
    for message in messages where settled.contains(message.key) {
      // A chat that refuses it keeps buttons that change nothing more.
      try? bot.removeButtons(of: message.number, in: address.chat)
    }
    messages.removeAll { settled.contains($0.key) }
  }

  /// The messages stay watched when the settings are read again.
  public func takeOver(from predecessor: any Channel) {
    if let predecessor = predecessor as? TelegramChannel { messages = predecessor.messages }
  }

  /// Sends the notice.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let notice = delivery.notice
    guard !notice.isAnswered else { return }
    var message = JSONLine()
    message.add("chat_id", address.chat)
    message.add("text", text(notice))
    message.add("parse_mode", "HTML")
    if delivery.isQuiet { message.add("disable_notification", true) }
    var preview = JSONLine()
    preview.add("is_disabled", true)
    message.add("link_preview_options", preview)
    var hasButtons = false
    // Without somebody who asks for them, buttons would do nothing.
    if answers != nil {
      do {
        if let buttons = try buttons(notice) {
          message.add("reply_markup", buttons)
          hasButtons = true
        }
      } catch {
        throw DeliveryFailure("\(error)")
      }
    }
    let sent = try bot.call("sendMessage", message)
    guard hasButtons, let number = sent?["message_id"]?.integer else { return }
    messages = messages.suffix(Self.maximumMessages - 1) + [(notice.key, number)]
  }

  /// `<b>TITLE</b>` and the lines.
  private func text(_ notice: Notice) -> String {
    func short(_ text: String, _ limit: Int) -> String {
      text.utf16.count <= limit
        ? text : String(text.unicodeScalars.prefix(limit / 2).map(Character.init)) + "…"
    }
    let title = short(words.title(notice), 1_000)
    let body = short(words.lines(notice).joined(separator: "\n"), Self.maximumText - 1_000)
    return "<b>\(XMLEscaping.escaped(title))</b>\n\(XMLEscaping.escaped(body))"
  }

  /// The buttons of a notice; `nil` for none.
  private func buttons(_ notice: Notice) throws -> JSONLine? {
    let actions: [(label: String, action: TelegramAnswers.Action)]
    if let entry = notice.firing {
      actions = [(entry.context?.isReminder == false ? "Seen" : "Done", .done), ("Snooze", .snooze)]
    } else {
      guard context.answerSuggestion != nil else { return nil }
      actions = words.buttons(notice).map { ($0.label, .suggestion($0)) }
    }
    guard !actions.isEmpty else { return nil }
    var buttons = try actions.map { label, action in
      var line = JSONLine()
      line.add("text", label)
      line.add("callback_data", try TelegramAnswers.data(action, notice, context))
      return line.line
    }
    if let ticket = context.answers?.ticket(notice) {
      var line = JSONLine()
      line.add("text", "Ticket")
      line.add("url", ticket)
      buttons.append(line.line)
    }
    var keyboard = JSONLine()
    keyboard.add("inline_keyboard", json: "[[\(buttons.joined(separator: ","))]]")
    return keyboard
  }
}

/// Calls methods of the Bot API. Use it on one thread only.
struct TelegramBot {
  private let base: String
  private let sender: DeliveryClient

  init(server: String, token: String) throws {
    base = "\(server)/bot\(token)/"
    sender = try DeliveryClient()
  }

  /// Takes the buttons of a message away.
  func removeButtons(of message: Int, in chat: String) throws(DeliveryFailure) {
    var edit = JSONLine()
    edit.add("chat_id", chat)
    edit.add("message_id", message)
    _ = try call("editMessageReplyMarkup", edit)
  }

  /// Calls a method.
  ///
  /// - Returns: Its result.
  func call(
    _ method: String, _ parameters: JSONLine, timeout: Double = 30
  ) throws(DeliveryFailure) -> JSONValue? {
    let request = HTTPClient.Request(
      url: base + method, headers: ["Content-Type: application/json"], body: Array(parameters.line.utf8))
    let answer = try sender.send(request, timeout: timeout) { json in
      let reason = json["description"]?.text
      let parameters = json["parameters"]
      return .init(
        reason: reason, retryAfter: parameters?["retry_after"]?.number,
        // The settings name a wrong chat, or a group that has a new number.
        isRefusal: reason?.contains("chat not found") == true || parameters?["migrate_to_chat_id"] != nil)
    }
    return (try? JSONValue(reading: answer.body, maxDepth: 32))?["result"]
  }
}
