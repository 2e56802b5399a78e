import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
@testable import FencepostChannels
import Testing

/// A channel with the failures that a test sets, which records its deliveries.
private final class FakeChannel: Channel {
  var failures: [DeliveryFailure?] = []
  var refuses: (Delivery) -> DeliveryFailure? = { _ in nil }
  var attempts = 0
  var taken: [String] = []

  func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    attempts += 1
    if let failure = failures.isEmpty ? nil : failures.removeFirst() { throw failure }
    if let failure = refuses(delivery) { throw failure }
    taken.append(delivery.notice.firing?.firing.item.rawValue ?? "")
  }
}

@Suite("Deliveries from the ledger")
struct DeliveryLoopTests {
  let fixture: LiveAlarmFixture
  private let channel = FakeChannel()

  init() throws {
    fixture = try LiveAlarmFixture()
    for (index, title) in ["A", "B", "C"].enumerated() {
      try fixture.reminder(title, LiveAlarmFixture.alarm(at: Double(index + 1)))
    }
    let engine = try fixture.engine(channels: ["test", "other"])
    fixture.clock.advance(by: 10)
    #expect(try engine.wake(at: fixture.clock.now).count == 3)
  }

  private func deliveryLoop() -> DeliveryLoop {
    DeliveryLoop(
      name: "test", channel: channel, store: fixture.store, resolver: fixture.resolver,
      clock: { [clock = fixture.clock] in clock.now })
  }

  private func pending(_ channel: String = "test") throws -> Int {
    try fixture.store.read { try $0.pendingDeliveryCounts() }[channel] ?? 0
  }

  @Test("Firings are delivered in order and once, without effect on other channels")
  func order() throws {
    var loop = deliveryLoop()
    #expect(try loop.run() == nil)
    #expect(try loop.run() == nil)
    #expect(channel.taken == ["A", "B", "C"])
    #expect(try pending() == 0)
    #expect(try pending("other") == 3)
  }

  @Test("A dead channel is tried less and less often, one delivery at a time, and loses nothing")
  func dead() throws {
    channel.failures = Array(repeating: DeliveryFailure("down"), count: 5)
    var loop = deliveryLoop()
    var waits: [Double] = []
    while let next = try loop.run() {
      #expect(loop.lastError == "down")
      waits.append(next.seconds(since: fixture.clock.now))
      #expect(try loop.run() == next, "asked too early, it waits")
      fixture.clock.set(next)
    }
    // Each of the three once, then each of them again.
    #expect(waits == [1, 2, 4, 4, 4])
    #expect(Set(channel.taken) == ["A", "B", "C"] && channel.taken.count == 3)
    #expect(loop.lastError == nil)
  }

  @Test("A single failing delivery does not block others, and survives a restart")
  func poison() throws {
    channel.refuses = { $0.notice.firing?.firing.item.rawValue == "A" ? DeliveryFailure("no") : nil }
    var first = deliveryLoop()
    fixture.clock.set(try #require(try first.run()))
    _ = try first.run()
    #expect(channel.taken == ["B", "C"])
    channel.refuses = { _ in nil }
    fixture.clock.advance(by: 10)
    var second = deliveryLoop()
    #expect(try second.run() == nil)
    #expect(channel.taken == ["B", "C", "A"])
  }

  @Test("Deliveries that always fail do not delay new ones", arguments: [1, 2])
  func poisonDelaysNothing(count: Int) throws {
    let poison = Set(["A", "B"].prefix(count))
    channel.refuses = {
      poison.contains($0.notice.firing?.firing.item.rawValue ?? "") ? DeliveryFailure("no") : nil
    }
    var loop = deliveryLoop()
    for _ in 0..<40 { fixture.clock.set(try #require(try loop.run())) }
    #expect(channel.attempts > 20)
    let next = fixture.clock.now.adding(seconds: 1)
    try fixture.reminder("D", Alarm(trigger: .absolute(next)))
    fixture.clock.set(next)
    #expect(try fixture.engine(channels: ["test"]).wake(at: next).count == 1)
    for _ in 0..<5 {
      _ = try loop.run()
      fixture.clock.advance(by: 1)
    }
    #expect(channel.taken.contains("D"))
  }

  @Test("A rejected delivery is given up")
  func final() throws {
    channel.failures = [DeliveryFailure("gone", isFinal: true)]
    var logged: [String] = []
    let clock = fixture.clock
    var loop = DeliveryLoop(
      name: "test", channel: channel, store: fixture.store, resolver: fixture.resolver,
      clock: { clock.now }, log: { logged.append($0) })
    #expect(try loop.run() == nil)
    #expect(channel.taken == ["B", "C"])
    #expect(try pending() == 0)
    // Also if later deliveries succeed.
    #expect(logged == ["gave up delivering the alarm 'absolute' of item A: gone"])
    #expect(try fixture.store.read { try $0.failedDeliveryCounts() } == ["test": 1])
  }

  @Test("A clock that is set back does not prolong a wait", arguments: [false, true])
  func clockSetBack(isRestarted: Bool) throws {
    channel.failures = [DeliveryFailure("busy", retryAfter: isRestarted ? nil : 60)]
    var loop = deliveryLoop()
    #expect(try loop.run() != nil)
    #expect(channel.attempts == 1)
    fixture.clock.advance(by: -86_400)
    if isRestarted { loop = deliveryLoop() }
    // According to that clock, new deliveries are only due tomorrow.
    #expect(try loop.run() == nil)
    #expect(Set(channel.taken) == ["A", "B", "C"])
  }

  @Test("The line contains the identifier, which is the same for each attempt")
  func identifier() throws {
    final class Lines: Channel {
      var lines: [String] = []
      func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
        lines.append(line)
        if lines.count == 1 { throw DeliveryFailure("once") }
      }
    }
    let channel = Lines()
    let clock = fixture.clock
    var loop = DeliveryLoop(
      name: "test", channel: channel, store: fixture.store, resolver: fixture.resolver,
      clock: { clock.now })
    fixture.clock.set(try #require(try loop.run()))
    _ = try loop.run()
    fixture.clock.advance(by: 10)
    _ = try loop.run()
    #expect(channel.lines.count == 4)
    #expect(channel.lines.first == channel.lines.last)
    #expect(channel.lines.allSatisfy { $0.contains("\"id\":\"") })
  }

  @Test("A delivery is not repeated because its result could not be stored")
  func unsavedResult() throws {
    let fixture = try LiveAlarmFixture()
    final class Counting: Channel {
      var lines: [String] = []
      func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) { lines.append(line) }
    }
    for second in 1...3 { try fixture.reminder("\(second)", LiveAlarmFixture.alarm(at: Double(second))) }
    fixture.clock.set(LiveAlarmFixture.start.adding(seconds: -10))
    let engine = try fixture.engine(channels: ["test"])
    fixture.clock.set(LiveAlarmFixture.start.adding(seconds: 10))
    _ = try engine.wake(at: fixture.clock.now)
    let channel = Counting()
    let clock = fixture.clock
    var loop = DeliveryLoop(
      name: "test", channel: channel, store: try CalendarStore(path: fixture.store.path, timeout: 0),
      resolver: fixture.resolver, clock: { clock.now })
    for _ in 0..<4 {
      try fixture.store.write { _ in #expect(throws: StoreError.self) { try loop.run() } }
    }
    #expect(try loop.run() == nil)
    #expect(channel.lines.count == 3)
    #expect(try fixture.store.read { try $0.pendingDeliveries() }.isEmpty)
  }
}
