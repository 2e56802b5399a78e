import FencepostActions
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostJSON
import FencepostSystem
import Synchronization

/// Asks Telegram for pressed buttons, on a thread of its own, and answers alarms with them.
///
/// A request waits at Telegram until a button is pressed (long polling), so there are about two requests a
/// minute. Telegram keeps what was pressed for a day while nobody asks. An answer counts as received once it
/// is stored: after a crash it comes again, and changes nothing more.
final class TelegramAnswers: Sendable {
  /// What a button does.
  enum Action: Hashable {
    case done, snooze
    case suggestion(SuggestionAnswer)

    /// The first letter of a button's text.
    var letter: Character {
      switch self {
      case .done: "d"
      case .snooze: "s"
      case .suggestion(.accept): "a"
      case .suggestion(.tentative): "t"
      case .suggestion(.decline): "n"
      case .suggestion(.later): "l"
      }
    }

    static let all: [Action] = [.done, .snooze] + SuggestionAnswer.allCases.map { .suggestion($0) }

    /// What the person is told after it.
    var outcome: String {
      switch self {
      case .done: "Done"
      case .snooze: "Snoozed"
      case .suggestion(let answer): answer.outcome
      }
    }
  }

  private let address: TelegramAddress
  private let context: ChannelContext
  private let clock: @Sendable () -> Instant
  private let sleeper = Sleeper()
  private let isStopped = Mutex(false)

  /// Seconds that Telegram holds a request. A daemon that ends waits for none of them.
  private static let poll = 25

  /// Starts to ask.
  init(
    _ address: TelegramAddress, _ context: ChannelContext,
    clock: @escaping @Sendable () -> Instant = Instant.wallClock
  ) throws {
    self.address = address
    self.context = context
    self.clock = clock
    let token = try address.tokenText()
    try SystemThread.start("telegram") { [weak self, server = address.server] in
      guard let bot = try? TelegramBot(server: server, token: token) else { return }
      TelegramAnswers.run(bot) { self }
    }
  }

  /// Ends the thread after its current request.
  func stop() {
    isStopped.withLock { $0 = true }
    sleeper.stop()
  }

  /// The text of a button: what it does, for which alarm or suggestion of this store, and a code that nobody
  /// else can make. It has at most 64 bytes. The code of a suggestion is of its content too, which the text
  /// has no space for.
  static func data(_ action: Action, _ notice: Notice, _ context: ChannelContext) throws -> String {
    let clients = ClientRegistry(store: context.store, clock: Instant.wallClock)
    let id =
      switch notice {
      case .firing(let entry): "\(entry.number)"
      case .suggestion(let suggestion): suggestion.id.rawValue
      }
    let name = "\(action.letter)\(id)"
    return "\(name).\(try clients.answerCode(for: signed(name, notice.revision)))"
  }

  private static func signed(_ name: String, _ revision: String?) -> String {
    revision.map { "\(name)@\($0)" } ?? name
  }

  private static func run(_ bot: TelegramBot, _ current: () -> TelegramAnswers?) {
    let backoff = Backoff(first: 5, most: 600)
    var failures = 0
    var offset: Int?
    while let answers = current(), !answers.isStopped.withLock({ $0 }) {
      do throws(DeliveryFailure) {
        try answers.round(bot, &offset)
        failures = 0
      } catch {
        failures += 1
        if failures == 1 {
          answers.context.log(.warning, "\(answers.address): can't ask for answers: \(error)")
        }
        let seconds = max(backoff.seconds(afterFailures: failures), error.retryAfter ?? 0)
        guard answers.sleeper.sleep(until: .wallClock().adding(seconds: seconds)) else { return }
      }
    }
  }

  /// Asks once, and stores the answers.
  private func round(_ bot: TelegramBot, _ offset: inout Int?) throws(DeliveryFailure) {
    var parameters = JSONLine()
    if let offset { parameters.add("offset", offset) }
    parameters.add("timeout", Self.poll)
    parameters.add("allowed_updates", ["callback_query"])
    let updates = try bot.call("getUpdates", parameters, timeout: Double(Self.poll) + 10)
    for update in updates?.list ?? [] {
      if let query = update["callback_query"] { try answer(query, bot) }
      if let number = update["update_id"]?.integer { offset = number + 1 }
    }
  }

  /// Answers the alarm of a pressed button.
  private func answer(_ query: JSONValue, _ bot: TelegramBot) throws(DeliveryFailure) {
    guard let id = query["id"]?.text else { return }
    let chat = query["message"]?["chat"]
    let isOurChat =
      chat?["id"]?.integer.map { "\($0)" } == address.chat
      || chat?["username"]?.text.map { "@\($0)".lowercased() } == address.chat.lowercased()
    let text: String
    if isOurChat, let press = meaning(query["data"]?.text ?? "") {
      do {
        text = try respond(press)
      } catch {
        // It comes again.
        throw DeliveryFailure("can't save an answer: \(error)")
      }
    } else {
      text = "This button is not of this Fencepost"
    }
    var reply = JSONLine()
    reply.add("callback_query_id", id)
    reply.add("text", text)
    // The answer is stored. What the chat shows of it is not worth another attempt.
    _ = try? bot.call("answerCallbackQuery", reply)
    guard isOurChat, let message = query["message"]?["message_id"]?.integer else { return }
    try? bot.removeButtons(of: message, in: address.chat)
  }

  /// What a pressed button means.
  private enum Press {
    /// For the alarm with this number.
    case alarm(Action, String)
    /// For a suggestion with the revision that the button shows; empty if that is not the present one.
    case suggestion(SuggestionAnswer, Identifier<Suggestion>, revision: String)
  }

  /// What a button does, and about what; `nil` if it is not one of ours.
  private func meaning(_ data: String) -> Press? {
    let parts = data.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let action = Action.all.first(where: { $0.letter == parts[0].first }) else {
      return nil
    }
    let clients = ClientRegistry(store: context.store, clock: clock)
    func isSigned(_ revision: String?) -> Bool {
      (try? clients.answerCode(for: Self.signed(parts[0], revision))) == parts[1]
    }
    let id = String(parts[0].dropFirst())
    guard case .suggestion(let answer) = action else { return isSigned(nil) ? .alarm(action, id) : nil }
    guard let known = try? context.store.read({ try $0.suggestion(Identifier(rawValue: id)) }) else {
      return nil
    }
    // A code for other content can't be told from a wrong one. Neither changes anything.
    return .suggestion(answer, known.id, revision: isSigned(known.revision) ? known.revision : "")
  }

  /// Stores an answer.
  ///
  /// - Returns: What the person is told.
  private func respond(_ press: Press) throws -> String {
    switch press {
    case .suggestion(.later, _, _): return SuggestionAnswer.later.outcome
    case .suggestion(let answer, let suggestion, let revision):
      guard let handler = context.answerSuggestion else { return "This can't be answered here" }
      return try handler(suggestion, answer, revision) ?? answer.outcome
    case .alarm(let action, let id):
      let now = clock()
      let response: AlarmResponse =
        action == .snooze ? .snooze(until: now.adding(seconds: address.snooze)) : .complete
      return try context.store.write { writer in
        guard let entry = try writer.reader.firing(id: id) else { return "This alarm is gone" }
        // What was done meanwhile does not come back.
        if action == .snooze, try writer.reader.isSettled(.firing(entry), resolver: context.resolver) {
          return "This was answered before"
        }
        let answered = try writer.respond(response, to: entry.firing.key, at: now, resolver: context.resolver)
        return answered == nil ? "This alarm is gone" : action.outcome
      }
    }
  }
}
