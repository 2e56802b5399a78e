import FencepostCalendarModel
import FencepostCalendarStore
import FencepostSystem
import FencepostTestSupport
import Foundation
import Synchronization
import Testing

@testable import FencepostInterchange

@Suite("Concurrent refreshes")
struct RefreshPoolTests {
  private static let now = Instant(seconds: 1_777_622_400)

  private static func calendar(_ title: String) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:\(title)\r\nSUMMARY:\(title)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
  }

  /// Servers that answer when a test allows it. They answer the first request, which creates the
  /// subscription, at once.
  private final class SlowServers: Sendable {
    private struct State {
      var isSlow = false
      var waiting = 0
      var most = 0
    }
    private let state = Monitor(State())
    private let servers = Mutex<[LoopbackServer]>([])

    /// The number of waiting requests, and its maximum.
    var waiting: Int { state.withLock { $0.waiting } }
    var most: Int { state.withLock { $0.most } }

    func setSlow(_ isSlow: Bool) { state.update { $0.isSlow = isSlow } }

    /// The address of another server.
    func address(_ title: String) throws -> String {
      let server = try LoopbackServer { [self] _ in
        state.withLock {
          $0.waiting += 1
          $0.most = max($0.most, $0.waiting)
        }
        state.wait { $0.isSlow ? nil : () }
        state.withLock { $0.waiting -= 1 }
        return .text(RefreshPoolTests.calendar(title))
      }
      servers.withLock { $0.append(server) }
      return server.address("/\(title).ics")
    }
  }

  private let store: CalendarStore
  private let directory: TemporaryDirectory
  private let servers = SlowServers()

  init() throws {
    store = try CalendarStore()
    directory = try TemporaryDirectory()
  }

  private func subscribe(_ address: String) throws -> Subscription {
    let made = try Subscriber(store: store).subscribe(to: try SubscriptionAddress(address), at: Self.now)
    return try #require(try store.read { try $0.subscription(made.calendar.id) })
  }

  private func limits(_ all: Int, perHost: Int) -> RefreshPool.Limits {
    var limits = RefreshPool.Limits()
    (limits.all, limits.perHost) = (all, perHost)
    return limits
  }

  @Test("A slow server does not delay others, and uses no more places than allowed")
  func slow() throws {
    // All of them are on one host.
    let slow = try (0..<5).map { try subscribe(servers.address("slow \($0)".replacing(" ", with: "-"))) }
    let file = try subscribe(directory.write(Self.calendar("old"), to: "a.ics"))
    _ = try directory.write(Self.calendar("new and other"), to: "a.ics")
    servers.setSlow(true)
    let pool = RefreshPool(Subscriber(store: store), limits: limits(4, perHost: 2))
    let ended = Mutex<[Identifier<ItemCalendar>]>([])
    let now = Self.now.adding(seconds: 10_000)
    func begin(_ subscriptions: [Subscription]) -> [Subscription] {
      pool.begin(subscriptions, at: now) { subscription, _ in
        ended.withLock { $0.append(subscription.calendar) }
      }
    }
    let waiting = begin(slow + [file])
    #expect(waiting.map(\.calendar) == slow.dropFirst(2).map(\.calendar))
    #expect(eventually { ended.withLock { $0 } == [file.calendar] })
    #expect(try store.read { try $0.items() }.contains { $0.title == "new and other" })
    // A running refresh is not started again.
    #expect(begin(slow).map(\.calendar) == slow.dropFirst(2).map(\.calendar))
    servers.setSlow(false)
    #expect(eventually { ended.withLock { $0.count } == 3 })
    #expect(begin(Array(slow.dropFirst(2))).count <= 1)
    #expect(eventually { ended.withLock { $0.count } >= 5 })
    #expect(servers.most <= 2)
  }

  @Test("All are refreshed within the limits, and each result is at its subscription's index")
  func all() throws {
    var subscriptions: [Subscription] = []
    for number in 0..<9 {
      subscriptions.append(try subscribe(directory.write(Self.calendar("old"), to: "\(number).ics")))
      if number.isMultiple(of: 3) {
        try FileManager.default.removeItem(atPath: directory.path("\(number).ics"))
      } else if number.isMultiple(of: 2) {
        _ = try directory.write(Self.calendar("new and other"), to: "\(number).ics")
      }
    }
    subscriptions.append(subscriptions[1])
    let pool = RefreshPool(Subscriber(store: store), limits: limits(3, perHost: 3))
    let outcomes = try pool.refresh(subscriptions, at: Self.now.adding(seconds: 10_000)).map { result in
      switch try result.get() {
      case .unchanged: "unchanged"
      case .merged: "merged"
      case .failed: "failed"
      }
    }
    let expected = (0..<9).map { $0 % 3 == 0 ? "failed" : $0 % 2 == 0 ? "merged" : "unchanged" }
    #expect(outcomes == expected + ["unchanged"])
  }

  @Test("A subscription that was refreshed after it was read is skipped")
  func stale() throws {
    let file = try subscribe(directory.write(Self.calendar("old"), to: "a.ics"))
    let pool = RefreshPool(Subscriber(store: store))
    let now = Self.now.adding(seconds: 10_000)
    for title in ["new and other", "newer than that"] {
      _ = try directory.write(Self.calendar(title), to: "a.ics")
      #expect(pool.refresh([file], at: now).count == 1)
    }
    #expect(try store.read { try $0.items() }.map(\.title) == ["new and other"])
  }

  @Test("With few places, the pool waits for a slow server, then continues")
  func onePlace() throws {
    let subscriptions = try ["a", "b", "c"].map { try subscribe(servers.address($0)) }
    let pool = RefreshPool(Subscriber(store: store), limits: limits(1, perHost: 1))
    servers.setSlow(true)
    let count = Mutex<Int?>(nil)
    Thread { [now = Self.now.adding(seconds: 10_000)] in
      let results = pool.refresh(subscriptions, at: now)
      count.withLock { $0 = results.count }
    }.start()
    #expect(eventually { servers.waiting == 1 })
    // The others have not begun, and there is no result without them.
    #expect(servers.most == 1 && count.withLock { $0 } == nil)
    servers.setSlow(false)
    #expect(eventually { count.withLock { $0 } == 3 })
    #expect(servers.most == 1)
  }
}
