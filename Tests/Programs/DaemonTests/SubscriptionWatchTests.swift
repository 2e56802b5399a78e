import FencepostCalendarModel
import FencepostCalendarStore
import FencepostInterchange
import FencepostSystem
import FencepostTestSupport
import Foundation
import Synchronization
import Testing

@testable import FencepostDaemon

@Suite struct SubscriptionWatchTests {
  private static func file(_ title: String) -> String {
    "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VTODO\nUID:a\nSUMMARY:\(title)\nEND:VTODO\nEND:VCALENDAR\n"
  }

  @Test("a due subscription is refreshed, and new content is stored")
  func due() async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Self.file("old"), to: "a.ics")
    let store = try CalendarStore()
    _ = try Subscriber(store: store).subscribe(
      to: try SubscriptionAddress(path), at: Instant(seconds: 0))
    _ = try directory.write(Self.file("new and other"), to: "a.ics")
    let watch = SubscriptionWatch(store: store, log: Log(threshold: .error) { _, _ in })
    try watch.start()
    var titles: [String] = []
    for _ in 0..<500 where titles != ["new and other"] {
      try await Task.sleep(for: .milliseconds(20))
      titles = try store.read { try $0.items() }.map(\.title)
    }
    watch.stop()
    #expect(titles == ["new and other"])
    #expect(
      try store.read { try $0.subscriptions() }.map(\.next).min().map { $0 > Instant.wallClock() } == true)
  }

  @Test("a failed refresh is logged once, and its end too")
  func recovery() async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Self.file("old"), to: "a.ics")
    let store = try CalendarStore()
    let made = try Subscriber(store: store).subscribe(
      to: try SubscriptionAddress(path), at: Instant(seconds: 0))
    try FileManager.default.removeItem(atPath: path)
    let lines = Mutex<[String]>([])
    let watch = SubscriptionWatch(
      store: store, log: Log(threshold: .notice) { _, text in lines.withLock { $0.append(text) } })
    try watch.start()
    /// Triggers a refresh, and waits until the log has `count` lines.
    func look(until count: Int) async throws {
      for _ in 0..<500 where lines.withLock({ $0.count }) < count {
        try store.write { writer in
          var subscription = try #require(try writer.reader.subscription(made.calendar.id))
          subscription.next = Instant(seconds: 0)
          try writer.save(subscription)
        }
        watch.wake()
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    try await look(until: 1)
    try await Task.sleep(for: .milliseconds(100))
    _ = try directory.write(Self.file("new and other"), to: "a.ics")
    try await look(until: 2)
    watch.stop()
    let logged = lines.withLock { $0 }
    #expect(logged.count == 2)
    #expect(logged.first?.contains("can't be read: No such file") == true)
    #expect(logged.last == "subscription \(made.calendar.id): reachable again")
  }

  @Test("the thread sleeps while nothing is due, and can be woken")
  func woken() async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Self.file("old"), to: "a.ics")
    let store = try CalendarStore()
    let watch = SubscriptionWatch(store: store, log: Log(threshold: .error) { _, _ in })
    try watch.start()
    try await Task.sleep(for: .milliseconds(50))
    _ = try Subscriber(store: store).subscribe(to: try SubscriptionAddress(path), at: Instant(seconds: 0))
    _ = try directory.write(Self.file("new and other"), to: "a.ics")
    var titles: [String] = []
    for _ in 0..<500 where titles != ["new and other"] {
      watch.wake()
      try await Task.sleep(for: .milliseconds(20))
      titles = try store.read { try $0.items() }.map(\.title)
    }
    watch.stop()
    #expect(titles == ["new and other"])
  }
}
