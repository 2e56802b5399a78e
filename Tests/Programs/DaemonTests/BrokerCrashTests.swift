import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostStoreAccess
import FencepostTestSupport
import Foundation
import Testing

@Suite("Brokers that are killed")
struct BrokerCrashTests {
  private let directory: TemporaryDirectory
  private let store: CalendarStore
  private let resolver = TimeResolver(floating: TimeZoneID(rawValue: "UTC"))
  /// The events of a commit.
  private static let size = 40

  init() throws {
    directory = try TemporaryDirectory()
    store = try CalendarStore(path: directory.path("calendar.sqlite"))
    try store.write { try $0.set(AccessPolicy.open) }
  }

  private var socket: String { directory.path("apps") }

  private func start() throws -> DaemonProgram {
    try DaemonProgram(
      store: store.path, output: directory.path("out"), ["--broker", socket, "--deliver", "-"])
  }

  private func edits(_ title: String, in calendar: Identifier<ItemCalendar>) -> [StoreEdit] {
    let start = CalendarTime.utc(CivilDateTime(year: 2027, month: 1, day: 15, hour: 9))
    let end = CalendarTime.utc(CivilDateTime(year: 2027, month: 1, day: 15, hour: 10))
    return (0..<Self.size).map { _ in
      .item(
        .save(
          CalendarItem(
            calendar: calendar, title: title, details: .event(EventDetails(start: start, end: end))),
          base: nil))
    }
  }

  @Test(
    "A commit is in the store as a whole or not at all, the app hears of it, and goes on with the next broker"
  )
  func commits() throws {
    var random = SeededRandom(seed: 7)
    var answered: Set<String> = []
    var all: Set<String> = []
    let app = SocketBackend(
      path: socket, claim: AppClaim(name: "app", title: "App", reasons: [.fullEvents: "To plan"]))
    for round in 0..<6 {
      let daemon = try start()
      // The same backend, which has lost its connection.
      #expect(eventually { (try? app.request(.fullEvents, now: .epoch)) == true })
      let calendar = try #require(try app.defaultCalendar(for: .events))
      let ended = DispatchGroup()
      let pause = useconds_t.random(in: 0...60_000, using: &random)
      DispatchQueue.global().async(group: ended) {
        usleep(pause)
        daemon.end(by: SIGKILL)
      }
      var failure: (any Error)?
      var number = 0
      while failure == nil {
        let title = "\(round)-\(number)"
        number += 1
        all.insert(title)
        do {
          _ = try app.commit(edits(title, in: calendar.id), resolver: resolver, now: .epoch)
          answered.insert(title)
        } catch {
          failure = error
        }
      }
      ended.wait()
      // It says that the broker is gone, and what that means for the change.
      #expect(failure is StoreAccessError)
      let counts = Dictionary(try store.read { try $0.items().map { ($0.title, 1) } }, uniquingKeysWith: +)
      #expect(counts.values.allSatisfy { $0 == Self.size }, "\(counts)")
      #expect(answered.isSubset(of: counts.keys) && Set(counts.keys).isSubset(of: all))
    }
    #expect(try CalendarStore.check(store.path) > 0)
  }
}
