import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostSystem
import FencepostTestSupport
import Glibc
import Testing

@testable import FencepostChannels

/// A channel whose deliveries a test releases one by one.
private final class SteppedChannel: Channel {
  /// The started deliveries, and how many may end.
  private let state = Monitor((begun: [String](), allowed: 0))

  /// Waits for `count` started deliveries, and returns all of them.
  func begun(_ count: Int) -> [String]? {
    state.wait(until: .wallClock().adding(seconds: 20)) { $0.begun.count >= count ? $0.begun : nil }
  }

  var begunSoFar: [String] { state.withLock { $0.begun } }

  func allow(_ count: Int) { state.update { $0.allowed += count } }

  func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let number = state.update {
      $0.begun.append(delivery.notice.firing?.firing.item.rawValue ?? "")
      return $0.begun.count
    }
    state.wait { $0.allowed >= number ? () : nil }
  }
}

@Suite("A channel's thread")
struct ChannelWorkerTests {
  let fixture: LiveAlarmFixture
  private let channel = SteppedChannel()
  private let worker: ChannelWorker

  init() throws {
    fixture = try LiveAlarmFixture()
    for index in 1...5 { try fixture.reminder("\(index)", LiveAlarmFixture.alarm(at: Double(index))) }
    let engine = try fixture.engine(channels: ["test"])
    fixture.clock.advance(by: 10)
    #expect(try engine.wake(at: fixture.clock.now).count == 5)
    worker = ChannelWorker(
      DeliveryLoop(
        name: "test", channel: channel, store: fixture.store, resolver: fixture.resolver,
        clock: { [clock = fixture.clock] in clock.now }), log: Log { _, _ in })
  }

  @Test("An error of the store is logged once, and its end too")
  func storeFails() throws {
    let lines = Monitor<[String]>([])
    // The loop reads the clock at each attempt.
    let attempts = Monitor(0)
    let worker = ChannelWorker(
      DeliveryLoop(
        name: "test", channel: channel, store: try CalendarStore(path: fixture.store.path, timeout: 0),
        resolver: fixture.resolver,
        clock: { [clock = fixture.clock] in
          attempts.update { $0 += 1 }
          return clock.now
        }),
      log: Log { _, text in lines.update { $0.append(text) } })
    channel.allow(100)
    try fixture.store.write { _ in
      try worker.start()
      for _ in 0..<5 {
        #expect(eventually { worker.status.lastError != nil })
        let before = attempts.withLock { $0 }
        worker.wake()
        #expect(eventually { attempts.withLock { $0 } > before })
      }
    }
    #expect(
      eventually {
        worker.wake()
        return lines.withLock { $0.count } == 2
      })
    #expect(worker.status.lastError == nil)
    let logged = lines.withLock { $0 }
    #expect(logged.first?.hasPrefix("test: ") == true && logged.last == "test: delivering again")
    worker.stop(until: .wallClock().adding(seconds: 20))
    #expect(try pending() == 0)
    #expect(channel.begunSoFar == ["1", "2", "3", "4", "5"])
  }

  private func pending() throws -> Int {
    try fixture.store.read { try $0.pendingDeliveryCounts() }["test"] ?? 0
  }

  /// Waits until `count` deliveries are pending.
  private func wait(forPending count: Int) throws {
    #expect(try eventually { try pending() == count })
  }

  @Test("A paused channel finishes its delivery, starts no other, and continues later")
  func pause() throws {
    try worker.start()
    #expect(channel.begun(1) == ["1"])
    worker.setPaused(true)
    channel.allow(5)
    try wait(forPending: 4)
    #expect(channel.begunSoFar == ["1"])
    worker.setPaused(false)
    try wait(forPending: 0)
    #expect(channel.begunSoFar == ["1", "2", "3", "4", "5"])
    worker.stop(until: .wallClock().adding(seconds: 20))
    #expect(worker.hasGone)
  }

  @Test("A retired channel leaves its backlog, and a returning one delivers it")
  func retire() throws {
    try worker.start()
    #expect(channel.begun(1) == ["1"])
    worker.retire()
    let next = SteppedChannel()
    #expect(worker.replace(next, resolver: fixture.resolver))
    channel.allow(5)
    #expect(next.begun(1) == ["2"])
    #expect(channel.begunSoFar == ["1"])
    worker.retire()
    next.allow(5)
    #expect(eventually { worker.hasGone })
    #expect(next.begunSoFar == ["2"])
    #expect(try pending() == 3)
  }

  @Test("After its deadline a channel starts no delivery, and results are stored")
  func deadline() throws {
    try worker.start()
    #expect(channel.begun(1) == ["1"])
    worker.retire()
    channel.allow(5)
    worker.stop(until: .wallClock().adding(seconds: 20))
    #expect(worker.hasGone)
    #expect(channel.begunSoFar == ["1"])
    #expect(try pending() == 4)
  }
}
