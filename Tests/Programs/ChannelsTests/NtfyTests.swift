import FencepostAddresses
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostTestSupport
import FencepostWebServer
import Foundation
import Testing

@testable import FencepostChannels

/// What ntfy's documentation asks of "Publish as JSON" (https://docs.ntfy.sh/publish/#publish-as-json).
private func faults(_ request: HTTPSink.Request) -> [String] {
  let json = request.json
  var faults: [String] = []
  func check(_ isRight: Bool, _ fault: String) { if !isRight { faults.append(fault) } }
  check(request.method == "POST" && request.path == "/", "JSON goes to the root")
  check((json["topic"] as? String)?.wholeMatch(of: /[-_A-Za-z0-9]{1,64}/) != nil, "topic")
  check((json["message"] as? String ?? "").utf8.count <= 4_096, "message is too long")
  check((1...5).contains(json["priority"] as? Int ?? 3), "priority")
  check(json["tags"] == nil || json["tags"] is [String], "tags")
  check(
    (json["sequence_id"] as? String ?? "a").wholeMatch(of: /[-_A-Za-z0-9]{1,64}/) != nil, "sequence_id")
  let actions = json["actions"] as? [[String: Any]] ?? []
  check(actions.count <= 3, "too many actions")
  for action in actions {
    check(action["action"] as? String == "http", "action")
    check((action["label"] as? String)?.isEmpty == false && action["url"] is String, "label and url")
    check(action["headers"] == nil || action["headers"] is [String: String], "headers")
    check(action["body"] == nil || action["body"] is String, "body")
  }
  let known = [
    "topic", "title", "message", "priority", "tags", "click", "actions", "sequence_id", "attach", "markdown",
    "icon", "filename", "delay", "email", "call",
  ]
  check(json.keys.allSatisfy(known.contains), "unknown field")
  return faults
}

@Suite("ntfy")
struct NtfyTests {
  @Test("An alarm is published with its texts, and with buttons that answer it")
  func publishes() throws {
    let service = try ServiceFixture(check: faults) { _, _ in .answer(200, body: "{\"id\":\"x\"}") }
    let address = "ntfy://127.0.0.1:PORT/alarms?secure=false&token=tk_1&priority=5&snooze=90s"
    #expect(try service.run(address, answers: service.answers) == .init())
    let json = try service.json()
    #expect(json["topic"] as? String == "alarms")
    #expect(json["title"] as? String == "Milk & \"eggs\"")
    #expect((json["message"] as? String)?.hasPrefix("Arrived at Place, 2026-05-02 08:00 (phone)\n") == true)
    #expect(json["priority"] as? Int == 5)
    #expect(json["tags"] as? [String] == ["round_pushpin"])
    #expect(json["click"] as? String == "https://home.example/now")
    #expect(service.sink.requests[0].headers["authorization"] == "Bearer tk_1")
    let actions = try #require(json["actions"] as? [[String: Any]])
    #expect(actions.map { $0["label"] as? String } == ["Done", "Snooze"])
    let number = try service.entry.number
    #expect(actions[0]["url"] as? String == "https://home.example/api/v1/firings/\(number)/complete")
    #expect(actions[1]["url"] as? String == "https://home.example/api/v1/firings/\(number)/snooze")
    #expect(actions[1]["body"] as? String == "{\"minutes\":2}")
    // The token answers this alarm for a week, and no other.
    let headers = try #require(actions[0]["headers"] as? [String: String])
    let token = try #require(headers["Authorization"]?.dropFirst("Bearer ".count))
    #expect(!token.contains("phone"))
    let clock = service.fixture.clock
    let registry = ClientRegistry(store: service.fixture.store) { clock.now }
    func principal() throws -> Principal? {
      try registry.principal(HTTPCredentials(authorization: "Bearer \(token)", token: nil))
    }
    #expect(try principal()?.way == .answer("\(number)", revision: nil))
    clock.advance(by: 8 * 86_400)
    #expect(try principal() == nil)
  }

  @Test("Without an address for phones there are no buttons")
  func withoutButtons() throws {
    let service = try ServiceFixture(check: faults) { _, _ in .answer(200) }
    #expect(try service.run("ntfy://me:pass@127.0.0.1:PORT/a?secure=false&tags=x,y") == .init())
    let json = try service.json()
    #expect(json["actions"] == nil && json["click"] == nil)
    #expect(json["tags"] as? [String] == ["x", "y"])
    #expect(service.sink.requests[0].headers["authorization"] == "Basic bWU6cGFzcw==")
  }

  @Test("A long title and long notes are cut to what the server takes")
  func long() throws {
    let service = try ServiceFixture(title: String(repeating: "👩‍👩‍👧‍👦ä", count: 400), check: faults) { _, _ in
      .answer(200)
    }
    #expect(try service.run("ntfy://127.0.0.1:PORT/a?secure=false") == .init())
    let title = try #require(try service.json()["title"] as? String)
    #expect(title.utf8.count <= 250 && title.hasSuffix("…"))
  }

  @Test("A retry has the same sequence, so that it takes the place of the first")
  func retries() throws {
    let service = try ServiceFixture(check: faults) { index, _ in .answer(index == 0 ? 500 : 200) }
    let address = "ntfy://127.0.0.1:PORT/a?secure=false"
    #expect(try service.run(address).wait == 1)
    service.fixture.clock.advance(by: 10)
    #expect(try service.run(address) == .init())
    let ids = try [0, 1].map { try service.json($0)["sequence_id"] as? String }
    #expect(ids[0] == ids[1] && ids[0]?.isEmpty == false)
  }

  @Test(
    "The server's refusals",
    arguments: [
      // A refused sender waits for other settings, and is not asked often.
      (401, "", #"{"code":40101,"http":401,"error":"unauthorized"}"#, "refused: ", "unauthorized", 600),
      (403, "", #"{"code":40301,"http":403,"error":"forbidden"}"#, "refused: ", "forbidden", 600),
      (429, "Retry-After: 120", #"{"code":42901,"error":"limit reached"}"#, "", "limit reached", 120),
      (429, "X: y", "not JSON", "", "answered 429", 1), (500, "X: y", "", "", "answered 500", 1),
      (507, "X: y", "{}", "", "answered 507", 1),
    ] as [(Int, String, String, String, String, Double)])
  func refusals(
    status: Int, header: String, body: String, prefix: String, reason: String, wait: Double
  ) throws {
    let service = try ServiceFixture(check: faults) { _, _ in
      .answer(status, headers: header.isEmpty ? [] : [header], body: body)
    }
    let outcome = try service.run("ntfy://127.0.0.1:PORT/a?secure=false")
    #expect(outcome.error?.hasPrefix(prefix + "the server answered \(status)") == true)
    #expect(outcome.error?.contains(reason) == true)
    #expect(outcome.wait == wait)
  }

  @Test("A message that the server will never take is given up, with its reason")
  func givenUp() throws {
    let service = try ServiceFixture(check: faults) { _, _ in
      .answer(413, body: #"{"code":41303,"error":"JSON body too large"}"#)
    }
    let outcome = try service.run("ntfy://127.0.0.1:PORT/a?secure=false")
    #expect(outcome.wait == nil && outcome.givenUp?.contains("JSON body too large") == true)
    let reasons = try service.fixture.store.read { try $0.lastFailedDeliveries() }
    #expect(reasons["service"] == "the server answered 413 (JSON body too large)")
  }

  @Test("An answer without end does not hold up the delivery")
  func largeAnswer() throws {
    let service = try ServiceFixture(check: faults) { _, _ in
      .answer(200, body: String(repeating: "x", count: 3_000_000))
    }
    #expect(try service.run("ntfy://127.0.0.1:PORT/a?secure=false") == .init())
  }

  @Test(
    "Names of channels have no secrets",
    arguments: [
      ("ntfy://ntfy.sh/my-alarms?token=tk_1&priority=5", "ntfy://ntfy.sh/my-alarms"),
      ("ntfy://me:pass@[::1]:8080/a?secure=false", "ntfy://[::1]:8080/a"),
      ("NTFY://Example.org/Topic/", "ntfy://Example.org/Topic"),
    ])
  func names(text: String, name: String) throws {
    #expect(try ChannelAddress(text).description == name)
    let filtered = try FilteredChannel(text + (text.contains("?") ? "&" : "?") + "kind=enter")
    #expect(filtered.filter.kinds == [.enter])
  }

  @Test(
    "An invalid address is an error with a correction",
    arguments: [
      ("ntfy://ntfy.sh", "a topic has up to 64"), ("ntfy://ntfy.sh/a/b", "a topic has up to 64"),
      ("ntfy://ntfy.sh/ä", "a topic has up to 64"), ("ntfy:///a", "missing host"),
      ("ntfy://h/a?priority=6", "a number from 1 to 5"), ("ntfy://h/a?priority=high", "a number from 1 to 5"),
      ("ntfy://h/a?secure=no", "'secure' is true"), ("ntfy://h/a?snooze=never", "invalid snooze time"),
      ("ntfy://h/a?token=", "missing token"), ("ntfy://h/a?token-file=x", "missing token"),
      ("ntfy://me@h/a", "a user needs a password"), ("ntfy://me:p@h/a?token=x", "a token or a password"),
      ("ntfy://h/a?color=red", "unknown parameter 'color'"),
    ])
  func refused(text: String, advice: String) {
    let error = #expect(throws: AddressError.self) { try ChannelAddress(text) }
    #expect(error?.description.contains(advice) == true, "\(error?.description ?? "")")
  }

  @Test("Secrets in the address are known, and a missing file is named")
  func secrets() throws {
    #expect(try ChannelAddress("ntfy://h/a?token=x").holdsSecret)
    #expect(try ChannelAddress("ntfy://h/a?token-file=/x").secretFile == "/x")
    #expect(try ChannelAddress("ntfy://h/a?token-file=/no/such").problem?.contains("/no/such") == true)
    #expect(try ChannelAddress("ntfy://h/a?secure=false").caution?.contains("not encrypted") == true)
    #expect(try ChannelAddress("ntfy://localhost/a?secure=false").caution == nil)
  }

  @Test("An alarm that offers a ticket opens it; another one opens what rings now", arguments: [true, false])
  func ticket(isOffered: Bool) throws {
    let alarm = isOffered ? Identifier<Alarm>(rawValue: "u1#ticket") : nil
    let service = try ServiceFixture(title: "Train & bus", alarm: alarm, check: faults) { _, _ in
      .answer(200, body: "{\"id\":\"x\"}")
    }
    let address = "ntfy://127.0.0.1:PORT/alarms?secure=false"
    #expect(try service.run(address, answers: service.answers) == .init())
    #expect(
      try service.json()["click"] as? String
        == "https://home.example\(isOffered ? "/suggestions?ticket=Train%20%26%20bus" : "/now")")
  }

  @Test(
    "A suggestion has buttons: a booking to accept it, an invitation for each answer",
    arguments: [true, false])
  func suggestion(isInvitation: Bool) throws {
    let service = try ServiceFixture(check: faults) { _, _ in .answer(200, body: "{\"id\":\"x\"}") }
    let suggestion = try service.suggest(isInvitation: isInvitation)
    let address = "ntfy://127.0.0.1:PORT/alarms?secure=false"
    #expect(try service.run(address, answers: service.answers) == .init())
    let json = try service.json(1)
    let actions = try #require(json["actions"] as? [[String: Any]])
    #expect(
      actions.map { $0["label"] as? String }
        == (isInvitation ? ["Accept", "Tentative", "Decline"] : ["Accept"]))
    #expect(
      actions[0]["url"] as? String == "https://home.example/api/v1/suggestions/\(suggestion.id)/accept")
    let headers = try #require(actions[0]["headers"] as? [String: String])
    let clock = service.fixture.clock
    let registry = ClientRegistry(store: service.fixture.store) { clock.now }
    let credentials = HTTPCredentials(authorization: headers["Authorization"], token: nil)
    #expect(
      try registry.principal(credentials)?.way
        == .answer(suggestion.id.rawValue, revision: suggestion.revision))
    clock.advance(by: 8 * 86_400)
    #expect(try registry.principal(credentials) == nil)
  }
}
