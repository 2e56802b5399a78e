import FencepostApps
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import Foundation
import Testing

@testable import EventKit

@Suite("An app's engine")
struct EngineTests {
  /// A clock that stands still until a test moves it.
  private final class TestClock: EKAlarmClock, @unchecked Sendable {
    /// Guards `current`.
    private let lock = NSLock()
    private var current: Date

    init(_ date: Date) { current = date }

    var now: Date { lock.withLock { current } }

    func move(by seconds: TimeInterval) { lock.withLock { current += seconds } }

    func sleep(until date: Date) async throws { try await Task.sleep(for: .milliseconds(2)) }
  }

  private static let start = Date(timeIntervalSince1970: 4_000_000_000)

  /// A reminder, saved like by a program that does not compute due times.
  private func save(_ title: String, at seconds: Double, in store: CalendarStore) throws -> CalendarItem {
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    var item = CalendarItem(calendar: list.id, title: title, details: .reminder(.init()))
    item.alarms = [Alarm(trigger: .absolute(Self.start.addingTimeInterval(seconds).instant))]
    try store.write { [item] in try $0.save(item) }
    return item
  }

  @Test("Items that another program saves, changes or removes count, before and after the engine starts")
  func others() async throws {
    let bench = try await Bench()
    let store = try bench.model
    let before = try save("Before", at: 60, in: store)
    let clock = TestClock(Self.start)
    let engine = bench.store.alarmEngine(policy: .exact, clock: clock)
    #expect(try await engine.advance().isEmpty)
    let after = try save("After", at: 120, in: store)
    let removed = try save("Removed", at: 120, in: store)
    #expect(try await engine.advance().isEmpty)
    try store.write { writer in _ = try writer.remove(removed.id) }
    clock.move(by: 130)
    let fired = try await engine.advance()
    #expect(fired.map(\.calendarItemIdentifier) == [before.id.rawValue, after.id.rawValue])
    #expect(try await engine.advance().isEmpty)
  }

  @Test("An alarm with REPEAT rings as often as it says, also after a new start, until somebody answers")
  func repeats() async throws {
    let bench = try await Bench()
    let store = try bench.model
    let clock = TestClock(Self.start)
    var oven: CalendarItem?
    for title in ["Pills", "Oven"] {
      var item = try save(title, at: 60, in: store)
      oven = item
      item.alarms[0].repeatCount = 2
      item.alarms[0].repeatInterval = CalendarDuration(seconds: 300)
      try store.write { [item] in try $0.save(item) }
    }
    func rings(_ engine: EKAlarmEngine) async throws -> [String] {
      try await engine.advance().map { firing in
        let title = bench.store.calendarItem(withIdentifier: firing.calendarItemIdentifier)?.title ?? ""
        return "\(title) \(firing.repetition)"
      }.sorted()
    }
    do {
      let engine = bench.store.alarmEngine(policy: .exact, clock: clock)
      #expect(try await rings(engine).isEmpty)
      clock.move(by: 60)
      #expect(try await rings(engine) == ["Oven 0", "Pills 0"])
      clock.move(by: 299)
      #expect(try await rings(engine).isEmpty)
      clock.move(by: 1)
      #expect(try await rings(engine) == ["Oven 1", "Pills 1"])
    }
    let answered = try #require(oven).id
    try store.write { try $0.acknowledgeFirings(of: answered, at: clock.now.instant) }
    let engine = bench.store.alarmEngine(policy: .exact, clock: clock)
    clock.move(by: 300)
    #expect(try await rings(engine) == ["Pills 2"])
    clock.move(by: 3_000)
    #expect(try await rings(engine).isEmpty)
  }

  /// Like the example `errands walk`, which plays a walk of several minutes at once.
  @Test("A walk that ends in the future does not suppress a later walk of another device")
  func walks() async throws {
    let bench = try await Bench()
    let reminder = bench.reminder("Bread")
    let alarm = EKAlarm()
    alarm.structuredLocation = EKStructuredLocation(title: "Bakery")
    alarm.structuredLocation?.geoLocation = CLLocation(latitude: 52.5, longitude: 13.4)
    alarm.proximity = .enter
    reminder.addAlarm(alarm)
    try bench.store.save(reminder, commit: true)
    let begin = Date()
    let walk = (0...300).map { second in
      CLLocation(
        coordinate: CLLocationCoordinate2D(
          latitude: 52.504 - Double(second) * 1.4 / 111_200, longitude: 13.4),
        altitude: 0, horizontalAccuracy: 8, verticalAccuracy: -1, timestamp: begin + Double(second))
    }
    #expect(try await bench.store.alarmEngine().process(walk, device: "one").map(\.kind) == [.enter])
    #expect(try await bench.store.alarmEngine().process(walk, device: "two").map(\.kind) == [.enter])
  }

  @Test("An engine that waits for its store blocks no task", .timeLimit(.minutes(2)))
  func waiting() async throws {
    let directory = try TemporaryDirectory()
    // More engines than there are threads for tasks, each with a store that another connection is writing to.
    let count = ProcessInfo.processInfo.activeProcessorCount + 1
    let begin = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    var engines: [EKAlarmEngine] = []
    for number in 0..<count {
      let path = directory.path("\(number).sqlite")
      let bench = try await Bench(path: path)
      engines.append(bench.store.alarmEngine(clock: TestClock(Self.start)))
      let writer = try CalendarStore(path: path)
      Thread.detachNewThread {
        try? writer.write { _ in
          begin.signal()
          end.wait()
        }
      }
    }
    for _ in 0..<count { #expect(Self.wait(begin)) }
    let work = engines.map { engine in Task { try await engine.advance() } }
    // Each of these needs a thread for a short time.
    for _ in 0..<100 { await Task.detached {}.value }
    for _ in 0..<count { end.signal() }
    for task in work { #expect(try await task.value.isEmpty) }
  }

  /// Waits on a separate thread; false after half a minute.
  private static func wait(_ semaphore: DispatchSemaphore) -> Bool {
    semaphore.wait(timeout: .now() + 30) == .success
  }

  @Test("A store has one engine at a time: another one gets an error until the first is gone")
  func oneAtATime() async throws {
    let bench = try await Bench()
    let clock = TestClock(Self.start)
    let other = bench.store.alarmEngine(policy: .exact, clock: clock)
    do {
      let engine = bench.store.alarmEngine(policy: .exact, clock: clock)
      #expect(try await engine.advance().isEmpty)
      let error = await #expect(throws: EKError.self) { try await other.advance() }
      #expect(error?.localizedDescription.contains("already") == true)
      #expect(try await engine.advance().isEmpty)
    }
    #expect(try await other.advance().isEmpty)
  }
}
