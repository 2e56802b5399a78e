import FencepostAlarmTestSupport
import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostRecurrence
import FencepostSystem
import FencepostTestSupport
import Foundation
import Testing

/// A small version of `Scripts/crash-test`, with fewer fixes and kills.
@Suite("Daemons that are killed")
struct CrashTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let places = 10
  private static let spacing = 500.0

  private func path(_ name: String) -> String { directory.path(name) }

  /// A store with places along a street, and time alarms a quarter of a second apart. Stores with the same
  /// content have the same identifiers.
  private func makeStore(_ name: String, times: [Instant]) throws -> CalendarStore {
    let store = try CalendarStore(path: path(name))
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    var alarms: [(title: String, alarm: Alarm)] = []
    for place in 0..<Self.places {
      let centre = Geodesic.destination(
        from: LiveAlarmFixture.home, azimuth: 90, metres: Double(place + 1) * Self.spacing)
      let location = StructuredLocation(title: "Place \(place)", coordinate: centre, radius: 80)
      alarms.append(("enter \(place)", Alarm(proximity: ProximityTrigger(.enter, at: location))))
      alarms.append(("leave \(place)", Alarm(proximity: ProximityTrigger(.leave, at: location))))
    }
    for (number, time) in times.enumerated() {
      alarms.append(("time \(number)", Alarm(trigger: .absolute(time))))
    }
    let items = alarms.map { title, alarm in
      var item = CalendarItem(
        id: .init(rawValue: title), calendar: list.id, title: title, details: .reminder(.init()))
      item.alarms = [alarm]
      item.alarms[0].id = .init(rawValue: "alarm of " + title)
      return item
    }
    try store.write { try $0.saveAll(items) }
    // Schedule the alarms now, so that they are not in the past when the first daemon starts.
    let schedule = AlarmSchedule(resolver: TimeResolver(floating: TimeZoneID(rawValue: "UTC")))
    var follower = ChangeFollower(store: store, schedule: schedule)
    _ = try follower.catchUp(to: Instant(microseconds: (times.first?.microseconds ?? 0) - 1))
    return store
  }

  /// A walk along the street, as a file.
  private func makeTrace(fixes: Int) throws -> String {
    let way = Double(Self.places + 1) * Self.spacing
    let rows = (0..<fixes).map { number in
      let place = Geodesic.destination(
        from: LiveAlarmFixture.home, azimuth: 90, metres: way * Double(number) / Double(fixes - 1))
      return "\(1_777_701_600 + number),\(place.latitude),\(place.longitude),5"
    }
    let text = (["time,latitude,longitude,accuracy"] + rows).joined(separator: "\n") + "\n"
    try text.write(toFile: path("trace.csv"), atomically: true, encoding: .utf8)
    return path("trace.csv")
  }

  private func start(_ name: String, _ store: CalendarStore, feed: String) throws -> DaemonProgram {
    try DaemonProgram(
      store: store.path, output: path(name + ".out"),
      ["--feed", feed, "--deliver", "-", "--policy", "exact", "--grace", "1d"])
  }

  /// The identifiers that a daemon delivered. A line that a kill truncated was repeated.
  private func delivered(_ name: String) throws -> Set<String> {
    let text = String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: path(name + ".out"))), as: UTF8.self)
    var identifiers: Set<String> = []
    for line in text.split(separator: "\n") {
      guard let start = line.range(of: #"{"type":"firing""#, options: .backwards)?.lowerBound,
        let object = try? JSONSerialization.jsonObject(with: Data(line[start...].utf8)) as? [String: Any],
        let id = object["id"] as? String
      else { continue }
      identifiers.insert(id)
    }
    return identifiers
  }

  @Test("A daemon that is killed repeatedly stores and delivers the same as an undisturbed one")
  func kills() throws {
    let seed = UInt64.random(in: 0...999_999)
    var random = SeededRandom(seed: seed)
    let begin = Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
    let times = (1...20).map { begin.adding(seconds: Double($0) / 4) }
    let feed = try makeTrace(fixes: 20_000)
    let (calm, killed) = (
      try makeStore("calm.sqlite", times: times), try makeStore("killed.sqlite", times: times)
    )
    let undisturbed = try start("calm", calm, feed: feed)
    for _ in 0..<20 {
      let daemon = try start("killed", killed, feed: feed)
      usleep(UInt32.random(in: 1_000...250_000, using: &random))
      #expect(daemon.end(by: SIGKILL) == nil)
    }
    let last = try start("killed", killed, feed: feed)
    let expected = 2 * Self.places + times.count
    let isDone = try eventually {
      for store in [calm, killed] {
        guard try store.read({ try $0.firings() }).count >= expected,
          try store.read({ try $0.pendingDeliveryCounts() }).isEmpty
        else { return false }
      }
      return true
    }
    #expect(isDone, "seed \(seed)")
    #expect(undisturbed.end(by: SIGTERM) == 0)
    #expect(last.end(by: SIGTERM) == 0)

    let ledgers = try [calm, killed].map { store in
      try store.read { try $0.firings() }.map { "\($0.firing.key) \($0.firing.isLate)" }.sorted()
    }
    #expect(ledgers[0].count == expected, "seed \(seed)")
    #expect(ledgers[0] == ledgers[1], "seed \(seed)")
    let keys = Set(try calm.read { try $0.firings() }.map(\.firing.key))
    #expect(try delivered("calm") == keys)
    #expect(try delivered("killed") == keys, "seed \(seed)")
  }

  @Test("A stalled channel does not delay others, and its backlog survives the daemon")
  func stalled() throws {
    let isStalling = Monitor(true)
    let sink = try HTTPSink { _, _ in
      isStalling.wait { $0 ? nil : () }
      return .answer(200)
    }
    defer {
      isStalling.update { $0 = false }
      sink.stop()
    }
    let now = Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
    let store = try makeStore("store.sqlite", times: (1...3).map { now.adding(seconds: Double($0) / 10) })
    let channels = ["--deliver", "http://127.0.0.1:\(sink.port)/", "--deliver", "-", "--grace", "1d"]
    let pending = { try store.read { try $0.pendingDeliveryCounts() } }

    let first = try DaemonProgram(store: store.path, output: path("store.out"), channels)
    #expect(
      try eventually { try !sink.requests.isEmpty && pending()["-"] == nil && delivered("store").count == 3 })
    #expect(try pending().values.reduce(0, +) == 3)
    first.end(by: SIGKILL)

    isStalling.update { $0 = false }
    let second = try DaemonProgram(store: store.path, output: path("store.out"), channels)
    #expect(try eventually { try pending().isEmpty })
    #expect(second.end(by: SIGTERM) == 0)
    let identifiers = sink.requests.compactMap { $0.headers["webhook-id"] }
    #expect(Set(identifiers).count == 3)
    #expect(identifiers.count == 4, "the one that was under way came again, under its identifier")
  }
}
