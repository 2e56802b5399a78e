import FencepostCalendarModel
import FencepostGeodesy
import FencepostGeofencing
import FencepostRecurrence
import Testing

@testable import FencepostAlarmEngine
@testable import FencepostCalendarStore

@Suite("Fences of changed items")
struct ChangedFencesTests {
  private let fixture: EngineFixture

  init() throws { fixture = try EngineFixture() }

  private struct Change: Sendable {
    let name: String
    /// How many fences must be read again.
    let reads: Int
    let apply: @Sendable (EngineFixture) throws -> Void
  }

  private static func item(_ title: String, in fixture: EngineFixture) throws -> CalendarItem {
    try #require(try fixture.store.read { try $0.item(.init(rawValue: title)) })
  }

  private static let changes: [Change] = [
    Change(name: "completed", reads: 0) { fixture in
      var item = try item("1", in: fixture)
      item.reminder?.isCompleted = true
      try fixture.store.write { [item] in try $0.save(item) }
    },
    Change(name: "renamed", reads: 2) { fixture in
      var item = try item("1", in: fixture)
      item.title = "Other"
      try fixture.store.write { [item] in try $0.save(item) }
    },
    Change(name: "one alarm removed", reads: 1) { fixture in
      var item = try item("1", in: fixture)
      item.alarms.removeLast()
      try fixture.store.write { [item] in try $0.save(item) }
    },
    Change(name: "moved", reads: 2) { fixture in
      var item = try item("1", in: fixture)
      for place in item.alarms.indices {
        item.alarms[place].proximity?.location.coordinate?.latitude = 52.51
      }
      try fixture.store.write { [item] in try $0.save(item) }
    },
    Change(name: "removed", reads: 0) { fixture in
      try fixture.store.write { _ = try $0.remove(Identifier<CalendarItem>(rawValue: "1")) }
    },
    Change(name: "added", reads: 1) { fixture in try fixture.reminder("New", EngineFixture.alarm(.enter)) },
    Change(name: "time alone", reads: 0) { fixture in
      try fixture.reminder("New", Alarm(trigger: .absolute(EngineFixture.start.adding(seconds: 60))))
    },
    Change(name: "all removed, with their list", reads: 0) { fixture in
      try fixture.store.write { _ = try $0.remove(fixture.list.id) }
    },
  ]

  @Test("A change reads the fences of its items again, and no others", arguments: 0..<8)
  func reads(number: Int) throws {
    for number in 0..<100 {
      try fixture.reminder("\(number)", EngineFixture.alarm(.enter), EngineFixture.alarm(.leave))
    }
    var follower = ChangeFollower(
      store: fixture.store, schedule: AlarmSchedule(resolver: fixture.resolver))
    let engine = try fixture.engine()
    try engine.follow(try follower.catchUp(to: EngineFixture.start))
    _ = try engine.process([fixture.fix(0, 5_000)])
    let change = Self.changes[number]
    let before = engine.loader.fencesRead
    #expect(before == 200)
    try change.apply(fixture)
    try engine.follow(try follower.catchUp(to: EngineFixture.start))
    if change.name.contains("list") {
      // All items of a list are read again.
      #expect(engine.loader.fencesRead == 0)
    } else {
      #expect(engine.loader.fencesRead - before == change.reads, "\(change.name)")
    }
    // The fences are as a new engine finds them.
    let another = try fixture.engine()
    _ = try engine.process([fixture.fix(10, 5_000)])
    _ = try another.process([fixture.fix(20, 5_000)])
    func fences(_ engine: AlarmEngine) -> [Fence] {
      (1...1_000).compactMap { engine.tracker.evaluator.index[FenceID(rawValue: $0)] }
    }
    #expect(fences(engine) == fences(another), "\(change.name)")
  }
}
