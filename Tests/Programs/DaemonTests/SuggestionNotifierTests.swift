import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostChannels
import FencepostRecurrence
import FencepostSystem
import FencepostTestSupport
import Testing

@testable import FencepostDaemon

@Suite("New suggestions over channels")
struct SuggestionNotifierTests {
  /// A channel that keeps what it delivers.
  private final class Collector: Channel {
    var lines: [String] = []
    func deliver(_ delivery: Delivery, line: String) { lines.append(line) }
  }

  private let log = Log { _, _ in }

  private static func suggestion(_ title: String, day: Int = 1, found: Instant) -> Suggestion {
    var suggestion = Suggestion(
      kind: "taxi", title: title,
      content:
        "{\"@type\":\"TaxiReservation\",\"pickupTime\":\"2026-07-01T06:30:00\",\"pickupLocation\":\"1 Main Street\"}",
      found: found)
    suggestion.start = .floating(CivilDateTime(year: 2026, month: 7, day: day, hour: 6, minute: 30))
    suggestion.sender = "taxi.example"
    return suggestion
  }

  private static func filter(_ address: String) throws -> (Notice) -> [String] {
    let delivery = try FilteredChannel(address)
    return { delivery.filter.admits($0) ? ["channel"] : [] }
  }

  @Test("A new suggestion is told once, as JSON and in words, where a channel asks for the kind")
  func told() throws {
    let fixture = try LiveAlarmFixture()
    let now = fixture.clock.now
    var notifier = try SuggestionNotifier(store: fixture.store, log: log)
    let channels = try Self.filter("exec:/bin/true?kind=suggestion")
    try fixture.store.write { try $0.save(Self.suggestion("Old", found: now)) }
    // What was there before is not new.
    #expect(try !notifier.record(at: now, resolver: fixture.resolver, channels: channels))
    let suggestion = Self.suggestion("Taxi 1 Main Street", found: now)
    try fixture.store.write { try $0.save(suggestion) }
    #expect(try notifier.record(at: now, resolver: fixture.resolver, channels: channels))
    #expect(try !notifier.record(at: now, resolver: fixture.resolver, channels: channels))
    var again = try SuggestionNotifier(store: fixture.store, log: log)
    #expect(try !again.record(at: now, resolver: fixture.resolver, channels: channels))
    // It is no alarm.
    #expect(try fixture.store.read { try $0.firings() }.isEmpty)

    let pending = try fixture.store.read { try $0.pendingDeliveries() }
    #expect(pending.count == 1)
    let notice = try #require(pending.first).notice
    let words = NoticeWords(resolver: fixture.resolver)
    #expect(words.title(notice) == "Taxi 1 Main Street")
    #expect(
      words.lines(notice).map { $0.replacing(suggestion.id.rawValue.prefix(8), with: "ID") } == [
        "From taxi.example", "New suggestion, 2026-05-02 08:00", "Starts 2026-07-01 06:30",
        "Where: 1 Main Street", "To accept it: fencepost suggestions accept ID",
      ])
    let collector = Collector()
    var loop = DeliveryLoop(
      name: "channel", channel: collector, store: fixture.store, resolver: fixture.resolver, clock: { now })
    #expect(try loop.run() == nil)
    let line = try #require(collector.lines.first)
    #expect(
      line.hasPrefix(
        "{\"type\":\"suggestion\",\"id\":\"\(suggestion.id)\",\"kind\":\"taxi\",\"state\":\"proposed\""))
    #expect(collector.lines.count == 1)
  }

  @Test(
    "New details of what waits are told once, those of answered ones not; what a trusted sender changed is told"
  )
  func updates() throws {
    let fixture = try LiveAlarmFixture()
    let now = fixture.clock.now
    var notifier = try SuggestionNotifier(store: fixture.store, log: log)
    let channels = try Self.filter("exec:/bin/true?kind=suggestion")
    let collector = Collector()
    var loop = DeliveryLoop(
      name: "channel", channel: collector, store: fixture.store, resolver: fixture.resolver, clock: { now })
    _ = try notifier.record(at: now, resolver: fixture.resolver, channels: channels)
    var suggestion = Self.suggestion("Taxi", found: now)
    let content = suggestion.content
    /// Saves, and returns how often the channel told in between.
    func told(_ change: (inout Suggestion) -> Void) throws -> Int {
      change(&suggestion)
      try fixture.store.write { [suggestion] in try $0.save(suggestion) }
      let before = collector.lines.count
      let hasNews = try notifier.record(at: now, resolver: fixture.resolver, channels: channels)
      #expect(try loop.run() == nil)
      #expect(hasNews || collector.lines.count == before)
      return collector.lines.count - before
    }
    #expect(try told { _ in } == 1)
    #expect(try told { $0.changed = now.adding(seconds: 1) } == 0)
    #expect(try told { $0.content = content.replacing("06:30", with: "07:00") } == 1)
    #expect(try told { $0.state = .rejected } == 0)
    #expect(try told { $0.content = content.replacing("06:30", with: "07:30") } == 0)
    #expect(try told { $0.state = .proposed } == 0)
    #expect(try told { $0.state = .cancelled } == 0)
    #expect(
      try told {
        $0.state = .proposed
        $0.content = content.replacing("06:30", with: "08:00")
      } == 1)
    let lines = collector.lines.suffix(2)
    #expect(lines.allSatisfy { $0.contains("\"id\":\"\(suggestion.id)\"") })
    #expect(lines.last?.contains("\"revision\":\"\(suggestion.revision)\"") == true)
    // As a trusted sender's update of an accepted event is saved.
    suggestion = Self.suggestion("Taxi 2", found: now)
    suggestion.replaces = Identifier(rawValue: "accepted")
    #expect(
      try told {
        $0.state = .accepted
        $0.isAutomatic = true
      } == 1)
    suggestion = Self.suggestion("Taxi 3", found: now)
    #expect(try told { $0.state = .accepted } == 0)
  }

  @Test("Content that comes while a channel tells the one before is told too")
  func racing() throws {
    let fixture = try LiveAlarmFixture()
    let now = fixture.clock.now
    var suggestion = Self.suggestion("Taxi", found: now)
    func pending() throws -> Delivery? { try fixture.store.read { try $0.pendingDeliveries() }.first }
    func save() throws {
      try fixture.store.write { [suggestion] writer in
        try writer.save(suggestion)
        try writer.addDeliveries(of: suggestion, over: ["channel"], at: now)
      }
    }
    try save()
    let first = try #require(try pending())
    suggestion.content = suggestion.content.replacing("06:30", with: "07:00")
    try save()
    try fixture.store.write { try $0.markDelivered(first, at: now) }
    let second = try #require(try pending())
    #expect(second.revision == suggestion.revision)
    try fixture.store.write { try $0.markFailed(first, because: "too long", nextAttempt: nil) }
    #expect(try pending() == second)
    try fixture.store.write { try $0.markDelivered(second, at: now) }
    #expect(try pending() == nil)
    try save()
    #expect(try pending() == nil)
  }

  @Test("What was answered before its delivery is not told")
  func answered() throws {
    let fixture = try LiveAlarmFixture()
    let now = fixture.clock.now
    var notifier = try SuggestionNotifier(store: fixture.store, log: log)
    let channels = try Self.filter("exec:/bin/true?kind=suggestion&kind=enter")
    _ = try notifier.record(at: now, resolver: fixture.resolver, channels: channels)
    var suggestion = Self.suggestion("Taxi", found: now)
    try fixture.store.write { try $0.save(suggestion) }
    #expect(try notifier.record(at: now, resolver: fixture.resolver, channels: channels))
    suggestion.state = .rejected
    try fixture.store.write { [suggestion] in try $0.save(suggestion) }
    let collector = Collector()
    var loop = DeliveryLoop(
      name: "channel", channel: collector, store: fixture.store, resolver: fixture.resolver, clock: { now })
    #expect(try loop.run() == nil)
    #expect(collector.lines.isEmpty)
    #expect(try fixture.store.read { try $0.pendingDeliveries() }.isEmpty)
  }

  @Test(
    "Channels that do not ask for the kind, or ask for a list, are not told",
    arguments: ["exec:/bin/true", "exec:/bin/true?kind=enter", "exec:/bin/true?kind=suggestion&list=Home"])
  func unasked(address: String) throws {
    let fixture = try LiveAlarmFixture()
    let now = fixture.clock.now
    var notifier = try SuggestionNotifier(store: fixture.store, log: log)
    let channels = try Self.filter(address)
    _ = try notifier.record(at: now, resolver: fixture.resolver, channels: channels)
    try fixture.store.write { try $0.save(Self.suggestion("Taxi", found: now)) }
    #expect(try !notifier.record(at: now, resolver: fixture.resolver, channels: channels))
    #expect(try fixture.store.read { try $0.pendingDeliveries() }.isEmpty)
  }

  @Test("Past suggestions are not told, and of many only some")
  func many() throws {
    let fixture = try LiveAlarmFixture()
    let now = fixture.clock.now
    var notifier = try SuggestionNotifier(store: fixture.store, log: log)
    let channels = try Self.filter("exec:/bin/true?kind=suggestion")
    _ = try notifier.record(at: now, resolver: fixture.resolver, channels: channels)
    try fixture.store.write { writer in
      var past = Self.suggestion("Past", found: now)
      past.start = .date(CivilDay(year: 2020, month: 1, day: 1))
      past.content = "BEGIN:VCALENDAR"
      try writer.save(past)
      for day in 1...25 { try writer.save(Self.suggestion("Taxi \(day)", day: day, found: now)) }
    }
    #expect(try notifier.record(at: now, resolver: fixture.resolver, channels: channels))
    let words = NoticeWords(resolver: fixture.resolver)
    let told = try fixture.store.read { try $0.pendingDeliveries() }.map { words.title($0.notice) }
    #expect(told == (1...20).map { "Taxi \($0)" })
  }
}
