import FencepostActions
import FencepostAddresses
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostSystem
import FencepostTestSupport
import Foundation
import Synchronization
import Testing

@testable import FencepostChannels

/// What the Bot API asks of its methods (https://core.telegram.org/bots/api).
private func faults(_ request: HTTPSink.Request) -> [String] {
  let json = request.json
  var faults: [String] = []
  func check(_ isRight: Bool, _ fault: String) { if !isRight { faults.append(fault) } }
  check(request.method == "POST" && request.headers["content-type"] == "application/json", "form")
  switch request.path.split(separator: "/").last {
  case "sendMessage":
    let text = json["text"] as? String ?? ""
    check(json["chat_id"] != nil && !text.isEmpty, "chat_id and text are required")
    check(text.utf16.count <= 4_096, "text is too long")
    check(["HTML", nil].contains(json["parse_mode"] as? String), "parse_mode")
    for button in buttons(request) {
      check((button["text"] as? String)?.isEmpty == false, "text of a button")
      check((1...64).contains((button["callback_data"] as? String ?? "").utf8.count), "callback_data")
    }
  case "getUpdates":
    check((0...50).contains(json["timeout"] as? Int ?? 0), "timeout")
    check(json["allowed_updates"] as? [String] == ["callback_query"], "allowed_updates")
  case "answerCallbackQuery":
    check(json["callback_query_id"] is String, "callback_query_id")
    check((json["text"] as? String ?? "").count <= 200, "text of an answer")
  case "editMessageReplyMarkup": check(json["chat_id"] != nil && json["message_id"] is Int, "message")
  default: check(false, "unknown method \(request.path)")
  }
  return faults
}

private func buttons(_ request: HTTPSink.Request) -> [[String: Any]] {
  let keyboard = (request.json["reply_markup"] as? [String: Any])?["inline_keyboard"] as? [[[String: Any]]]
  return (keyboard ?? []).flatMap(\.self)
}

@Suite("Telegram")
struct TelegramTests {
  private let address = "telegram:-100123?token=42:ABC-d_e&server=http://127.0.0.1:PORT"

  /// Sends an alarm, presses a button in a chat, and waits until the stand-in knows that it was answered.
  ///
  /// - Parameter data: What the button says, from the data of the sent ones.
  private func press(
    chat: Int = -100_123, suggestion isSuggestion: Bool = false, before: AlarmResponse? = nil,
    answerSuggestion: SuggestionAnswer.Handler? = nil,
    _ data: @escaping @Sendable (_ done: String, _ snooze: String) -> String
  ) throws -> (service: ServiceFixture, reply: String) {
    let pressed = Monitor<String?>(nil)
    let isReady = Monitor(before == nil)
    let reply = Promise<String>()
    let service = try ServiceFixture(check: faults) { _, request in
      switch request.path {
      case "/bot42:ABC-d_e/sendMessage":
        let sent = buttons(request).compactMap { $0["callback_data"] as? String }
        let isWanted = !isSuggestion || (request.json["text"] as? String)?.contains("Review") == true
        if sent.count >= 2, isWanted { pressed.update { $0 = data(sent[0], sent[1]) } }
        return .answer(200, body: #"{"ok":true,"result":{"message_id":9}}"#)
      case "/bot42:ABC-d_e/getUpdates":
        // A confirmed update does not come again; the next poll is over at once, as for a bot in two places.
        guard request.json["offset"] == nil else { return .answer(409) }
        guard
          let data = pressed.wait(until: .wallClock().adding(seconds: 60), for: { $0 })
        else { return .answer(500) }
        _ = isReady.wait(until: .wallClock().adding(seconds: 60)) { $0 ? true : nil }
        let update = """
          {"ok":true,"result":[{"update_id":7,"callback_query":{"id":"q1","from":{"id":1},"data":"\(data)",
            "message":{"message_id":9,"chat":{"id":\(chat),"type":"group"}}}}]}
          """
        return .answer(200, body: update)
      case "/bot42:ABC-d_e/answerCallbackQuery":
        reply.fulfill(request.json["text"] as? String ?? "")
        return .answer(200, body: #"{"ok":true,"result":true}"#)
      default: return .answer(200, body: #"{"ok":true,"result":true}"#)
      }
    }
    if isSuggestion { try service.suggest(isInvitation: true) }
    #expect(try service.run(address, answerSuggestion: answerSuggestion) == .init())
    if let before {
      let key = try service.entry.firing.key
      try service.fixture.store.write {
        [now = service.fixture.clock.now, resolver = service.fixture.resolver] in
        _ = try $0.respond(before, to: key, at: now, resolver: resolver)
      }
      isReady.update { $0 = true }
    }
    return (service, try #require(reply.wait(seconds: 60)))
  }

  @Test("Done in the chat completes the reminder, though nobody can reach this machine")
  func done() throws {
    let (service, reply) = try press { done, _ in done }
    #expect(reply == "Done")
    #expect(try service.entry.acknowledged != nil)
    let item = try service.fixture.store.read { try $0.item(try service.entry.firing.item) }
    #expect(item?.reminder?.isCompleted == true)
    let sent = try #require(service.sink.requests.first { $0.path.hasSuffix("sendMessage") })
    #expect((sent.json["text"] as? String)?.hasPrefix("<b>Milk &amp; ") == true)
    #expect(sent.json["chat_id"] as? String == "-100123")
  }

  @Test("An invitation is answered in the chat, once", arguments: [true, false])
  func suggestion(isWaiting: Bool) throws {
    let answered = Mutex<[String]>([])
    let (service, reply) = try press(
      suggestion: true,
      answerSuggestion: { id, answer, revision in
        answered.withLock { $0.append("\(id) \(answer) \(revision)") }
        return isWaiting ? nil : "This was answered before."
      }
    ) { _, tentative in
      #expect(tentative.utf8.count <= 64)
      return tentative
    }
    #expect(reply == (isWaiting ? "Accepted tentatively" : "This was answered before."))
    let suggestion = try #require(try service.fixture.store.read { try $0.suggestions() }.first)
    #expect(answered.withLock { $0 } == ["\(suggestion.id) tentative \(suggestion.revision)"])
    #expect(try service.entry.acknowledged == nil)
  }

  @Test("A button of a content that has changed, or that this store did not make, answers for no content")
  func changedSuggestion() throws {
    let revisions = Mutex<[String]>([])
    let (_, reply) = try press(
      suggestion: true,
      answerSuggestion: { _, _, revision in
        revisions.withLock { $0.append(revision) }
        return "This invitation has changed since. Open it."
      }
    ) { _, tentative in String(tentative.reversed().drop { $0 != "." }.reversed()) + "AAAAAAAAAAAAAAAA" }
    #expect(reply == "This invitation has changed since. Open it.")
    #expect(revisions.withLock { $0 } == [""])
  }

  @Test("Snooze in the chat lets the alarm go off again")
  func snooze() throws {
    let (service, reply) = try press { _, snooze in snooze }
    #expect(reply == "Snoozed")
    let item = try service.fixture.store.read { try $0.item(try service.entry.firing.item) }
    #expect(item?.alarms.contains { $0.snoozeOf != nil } == true)
    #expect(item?.reminder?.isCompleted == false)
  }

  @Test("Buttons go away after an answer elsewhere, and Snooze then changes nothing")
  func answeredElsewhere() throws {
    let service = try ServiceFixture(check: faults) { _, request in
      request.path.hasSuffix("getUpdates")
        ? .answer(409) : .answer(200, body: #"{"ok":true,"result":{"message_id":9}}"#)
    }
    #expect(try service.run(address) == .init())
    func edits() -> [Int?] {
      service.sink.requests.filter { $0.path.hasSuffix("editMessageReplyMarkup") }
        .map { $0.json["message_id"] as? Int }
    }
    try service.review()
    #expect(edits() == [])
    let key = try service.entry.firing.key
    try service.fixture.store.write {
      [clock = service.fixture.clock, resolver = service.fixture.resolver] writer in
      _ = try writer.respond(.complete, to: key, at: clock.now, resolver: resolver)
    }
    try service.review()
    try service.review()
    #expect(edits() == [9])
  }

  @Test("Snooze after Done in the chat, or a second Snooze, changes nothing")
  func twice() throws {
    let (service, reply) = try press(before: .complete) { _, snooze in snooze }
    #expect(reply == "This was answered before")
    let item = try service.fixture.store.read { try $0.item(try service.entry.firing.item) }
    #expect(item?.reminder?.isCompleted == true && item?.alarms.contains { $0.snoozeOf != nil } == false)
    let again = try press(before: .complete) { done, _ in done }
    #expect(again.reply == "Done")
  }

  @Test("A button that this store did not make, or of another chat, does nothing")
  func forged() throws {
    let forged = try press { done, _ in done.replacing("d", with: "s", maxReplacements: 1) }
    #expect(forged.reply == "This button is not of this Fencepost")
    #expect(try forged.service.entry.acknowledged == nil)
    let foreign = try press(chat: 5) { done, _ in done }
    #expect(foreign.reply == "This button is not of this Fencepost")
    #expect(try foreign.service.entry.acknowledged == nil)
  }

  @Test(
    "The server's refusals",
    arguments: [
      (
        401, #"{"ok":false,"error_code":401,"description":"Unauthorized"}"#,
        "refused: the server answered 401 (Unauthorized)", 600
      ),
      (
        403, #"{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}"#,
        "refused: the server answered 403 (Forbidden: bot was blocked by the user)", 600
      ),
      (
        429,
        #"{"ok":false,"description":"Too Many Requests: retry after 35","parameters":{"retry_after":35}}"#,
        "the server answered 429 (Too Many Requests: retry after 35)", 35
      ),
      (
        400, #"{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}"#,
        "refused: the server answered 400 (Bad Request: chat not found)", 600
      ),
      (500, "", "the server answered 500", 1),
    ] as [(Int, String, String, Double)])
  func refusals(status: Int, body: String, error: String, wait: Double) throws {
    let service = try ServiceFixture(check: faults) { _, request in
      request.path.hasSuffix("sendMessage") ? .answer(status, body: body) : .answer(409)
    }
    #expect(try service.run(address) == .init(error: error, wait: wait))
  }

  @Test("A text that Telegram never takes is given up")
  func givenUp() throws {
    let service = try ServiceFixture(check: faults) { _, request in
      request.path.hasSuffix("sendMessage")
        ? .answer(400, body: #"{"ok":false,"description":"Bad Request: can't parse entities"}"#)
        : .answer(409)
    }
    #expect(try service.run(address).givenUp?.contains("can't parse entities") == true)
  }

  @Test("A long text is cut to what Telegram takes")
  func long() throws {
    let service = try ServiceFixture(title: String(repeating: "👩‍👩‍👧‍👦<&", count: 2_000), check: faults) {
      _, request in
      request.path.hasSuffix("sendMessage") ? .answer(200) : .answer(409)
    }
    #expect(try service.run(address) == .init())
  }

  @Test(
    "Addresses of chats",
    arguments: [
      ("telegram:123?token=1:a", nil), ("telegram:@alarms?token-file=/x", nil),
      ("telegram:?token=1:a", "a chat is"),
      ("telegram:anna?token=1:a", "a chat is"), ("telegram:123", "missing the bot's token"),
      ("telegram:123?token=1:a&server=http://example.org", "'server' is an address"),
    ] as [(String, String?)])
  func addresses(text: String, advice: String?) {
    do {
      let address = try ChannelAddress(text)
      #expect(advice == nil && address.description == String(text.prefix { $0 != "?" }))
    } catch {
      #expect(advice.map(error.description.contains) == true, "\(error)")
    }
  }
}
