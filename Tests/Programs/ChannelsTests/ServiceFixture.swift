import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostSystem
import FencepostTestSupport
import Foundation
import Synchronization
import Testing

@testable import FencepostChannels

/// One alarm, and a stand-in for a service of messages, which checks the documented form of each request.
final class ServiceFixture {
  let fixture: LiveAlarmFixture
  let sink: HTTPSink
  private let complaints = Mutex<[String]>([])
  private static let channel = "service"
  /// The loop of the last run. Its channel stays open, because one that asks for answers may begin after the run.
  private var loop: DeliveryLoop?

  /// - Parameters:
  ///   - title: The title of the reminder, whose alarm goes off at an arrival.
  ///   - check: Returns what is wrong with a request.
  ///   - answer: The answer to a request without fault, by its number.
  init(
    title: String = "Milk & \"eggs\"", alarm id: Identifier<Alarm>? = nil,
    check: @escaping @Sendable (HTTPSink.Request) -> [String],
    answer: @escaping @Sendable (Int, HTTPSink.Request) -> HTTPSink.Reaction
  ) throws {
    fixture = try LiveAlarmFixture()
    let found = Mutex<[String]>([])
    sink = try HTTPSink { index, request in
      let faults = check(request)
      guard faults.isEmpty else {
        found.withLock { $0 += faults }
        return .answer(400, body: "{\"error\":\"\(faults.joined(separator: ", "))\"}")
      }
      return answer(index, request)
    }
    var alarm = LiveAlarmFixture.alarm(.enter)
    alarm.id = id ?? alarm.id
    try fixture.reminder(title, alarm)
    let engine = try fixture.engine(channels: [Self.channel])
    #expect(
      try engine.process([fixture.fix(0, 500), fixture.fix(10, 0)], at: fixture.clock.now).count == 1)
  }

  deinit { sink.stop() }

  /// The first alarm.
  var entry: LedgerEntry {
    get throws { try #require(try fixture.store.read { try $0.firings() }.first) }
  }

  /// Links to a server that phones can reach.
  var answers: AnswerLinks {
    let clock = fixture.clock
    return AnswerLinks(
      server: "https://home.example", clients: ClientRegistry(store: fixture.store) { clock.now })
  }

  /// What came of a run.
  struct Outcome: Equatable {
    var error: String?
    var givenUp: String?
    /// The seconds until the next attempt; `nil` if nothing is left.
    var wait: Double?
  }

  /// Delivers once over the channel of an address, in which `PORT` stands for the stand-in's.
  func run(
    _ address: String, answers: AnswerLinks? = nil, quietHours: QuietHours? = nil,
    answerSuggestion: SuggestionAnswer.Handler? = nil
  ) throws -> Outcome {
    let clock = fixture.clock
    let parsed = try ChannelAddress(address.replacing("PORT", with: "\(sink.port)"))
    let context = ChannelContext(
      store: fixture.store, resolver: fixture.resolver, log: Log { _, _ in }, answers: answers,
      answerSuggestion: answerSuggestion)
    var givenUp: String?
    self.loop = nil
    var loop = DeliveryLoop(
      name: Self.channel, channel: try parsed.open(context), store: fixture.store,
      resolver: fixture.resolver, backoff: parsed.backoff, clock: { clock.now }, quietHours: quietHours,
      log: { givenUp = $0 })
    let next = try loop.run()
    self.loop = loop
    return Outcome(error: loop.lastError, givenUp: givenUp, wait: next.map { $0.seconds(since: clock.now) })
  }

  /// Runs the loop of the last run again, which first reviews what was delivered.
  func review() throws {
    guard var loop else { return }
    _ = try loop.run()
    self.loop = loop
  }

  /// Adds a suggestion to what the channel tells.
  @discardableResult
  func suggest(isInvitation: Bool) throws -> Suggestion {
    let invitation = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", "BEGIN:VEVENT", "UID:m", "DTSTAMP:20260101T000000Z",
      "SUMMARY:Review", "DTSTART:20270302T100000Z", "ORGANIZER:mailto:olga@team.example",
      "ATTENDEE:mailto:me@home.example", "END:VEVENT", "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
    let suggestion = Suggestion(
      kind: isInvitation ? "event" : "taxi", title: "Review",
      content: isInvitation ? invitation : "{}", found: fixture.clock.now)
    try fixture.store.write { [now = fixture.clock.now] writer in
      try writer.save(suggestion)
      try writer.addDeliveries(of: suggestion, over: [Self.channel], at: now)
    }
    return suggestion
  }

  /// The bodies of the requests as JSON, without questions for pressed buttons.
  func sent() throws -> [[String: Any]] {
    sink.requests.filter { !$0.path.hasSuffix("/getUpdates") }.map(\.json)
  }

  /// The body of a request as JSON.
  func json(_ index: Int = 0) throws -> [String: Any] {
    let requests = sink.requests
    try #require(requests.count > index)
    let object = try JSONSerialization.jsonObject(with: Data(requests[index].body.utf8))
    return try #require(object as? [String: Any])
  }
}

extension HTTPSink.Request {
  /// The body as JSON; empty if it is not an object.
  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
  }
}
