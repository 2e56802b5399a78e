import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing
import FencepostRecurrence
import FencepostTestSupport
import Testing

@Suite("Positions that a phone saved up")
struct LatePositionTests {
  private let fixture: EngineFixture

  init() throws {
    fixture = try EngineFixture()
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    try fixture.reminder("Out", EngineFixture.alarm(.leave))
    try fixture.reminder("Stay", EngineFixture.alarm(.dwell(seconds: 300)))
  }

  private func engine(at seconds: Double, maximumAge: Double = 7 * 86_400) throws -> AlarmEngine {
    let engine = try AlarmEngine(
      store: fixture.store, journal: StoreJournal(store: fixture.store), policy: .robust,
      schedule: AlarmSchedule(resolver: fixture.resolver), devices: fixture.devices,
      start: EngineFixture.start.adding(seconds: seconds), clock: .wall(lateAfter: 60))
    engine.maximumAge = maximumAge
    return engine
  }

  /// Ten minutes of fixes at one place.
  private func stay(at metres: Double, from seconds: Double) -> [Fix] {
    (0..<60).map { step in
      var fix = fixture.fix(seconds + Double(step) * 10, metres)
      fix.horizontalAccuracy = 10
      return fix
    }
  }

  /// Away, then inside for ten minutes, then away.
  private var visit: [Fix] {
    stay(at: 5_000, from: 1_000) + stay(at: 0, from: 2_000) + stay(at: 5_000, from: 3_000)
  }

  @Test("Hours of positions at once go off for what they were, marked late")
  func inOrder() throws {
    _ = try engine(at: 600).process(stay(at: 5_000, from: 0))
    let firings = try engine(at: 20_000).process(visit)
    #expect(firings.filter { $0.kind != .dwell }.map(\.kind) == [.enter, .leave])
    #expect(firings.filter { $0.kind != .dwell }.map(\.isLate) == [true, true])
  }

  @Test("What came after a later position goes off late, once, and the device stays where it is")
  func afterLive() throws {
    _ = try engine(at: 600).process(stay(at: 5_000, from: 0))
    #expect(try engine(at: 10_700).process(stay(at: 9_000, from: 10_000)).isEmpty)
    // In another run: what is needed for it is kept.
    let engine = try engine(at: 11_000)
    let firings = try engine.process(visit)
    #expect(firings.map(\.kind) == [.enter, .leave])
    #expect(firings.map(\.isLate) == [true, true])
    #expect(firings.map { $0.crossing?.gap == nil } == [true, true])
    #expect(try engine.process(visit).isEmpty)
    #expect(try fixture.store.read { try $0.firings() }.count == 2)
    let last = try fixture.store.read { try $0.devices() }.first?.lastFix
    #expect(last?.time == stay(at: 9_000, from: 10_000).last?.time)
  }

  @Test(
    "They are kept one by one, across restarts, and until the next silence",
    arguments: [false, true], [false, true])
  func kept(isRestarted: Bool, isOld: Bool) throws {
    var engine = try engine(at: 600)
    _ = try engine.process(stay(at: 5_000, from: 0) + stay(at: 9_000, from: 10_000))
    func state() throws -> DeviceState {
      let found = try fixture.store.read { (try $0.fenceState(of: "phone"), try $0.silences(of: "phone")) }
      return try DeviceState(
        decoding: #require(found.0),
        silences: found.1.map { .init(number: $0.number, state: $0.state, late: $0.late) })
    }
    func late() throws -> Int {
      try fixture.store.read { try $0.silences(of: "phone") }.map(\.late.count).reduce(0, +)
    }
    if isOld {
      // As an older program saved it.
      let whole = try state().encoded()
      try fixture.store.write { writer in
        try writer.saveFenceState(whole, of: "phone")
        try writer.save(SilenceChanges(replacesAll: true), of: "phone")
      }
      engine = try self.engine(at: 11_000)
    }
    var firings: [Firing] = []
    for (number, fix) in visit.reversed().enumerated() {
      if isRestarted { engine = try self.engine(at: 11_000) }
      firings += try engine.process([fix])
      #expect(try late() == number + 1)
    }
    #expect(Set(firings.map(\.kind)) == [.enter, .leave] && firings.count == 2)
    // Each is where it was, for another program.
    #expect(try state().heldPosition == nil)
    _ = try engine.process(stay(at: 9_000, from: 20_000))
    #expect(try late() == 0)
    #expect(try fixture.store.read { try $0.silences(of: "phone") }.map(\.number) == [0, 1, 2])
  }

  @Test("What the live positions told of already is no news")
  func toldBefore() throws {
    let engine = try engine(at: 11_000)
    _ = try engine.process(stay(at: 5_000, from: 0))
    #expect(try engine.process(stay(at: 0, from: 10_000)).filter { $0.kind == .enter }.count == 1)
    let arrival = stay(at: 5_000, from: 1_000) + stay(at: 0, from: 2_000)
    #expect(try engine.process(arrival).isEmpty)
  }

  @Test("What is older than late positions count lets nothing go off", arguments: [1_000.0, 86_400])
  func tooOld(maximumAge: Double) throws {
    _ = try engine(at: 600).process(stay(at: 5_000, from: 0))
    _ = try engine(at: 10_700).process(stay(at: 9_000, from: 10_000))
    #expect(
      try engine(at: 11_000, maximumAge: maximumAge).process(visit).count == (maximumAge > 20_000 ? 2 : 0))
  }

  @Test("After more than a day of silence they count as well")
  func longSilence() throws {
    let engine = try engine(at: 200_000)
    _ = try engine.process(stay(at: 5_000, from: 0))
    #expect(try engine.process(stay(at: 9_000, from: 120_000)).isEmpty)
    #expect(try engine.process(visit).map(\.kind) == [.enter, .leave])
    #expect(try engine.process(visit).isEmpty)
  }

  @Test("What live positions reported of many alarms does not go off again", arguments: [80, 600])
  func many(count: Int) throws {
    let fixture = try EngineFixture()
    for number in 0..<count { try fixture.reminder("\(number)", EngineFixture.alarm(.enter)) }
    let engine = try AlarmEngine(
      store: fixture.store, journal: StoreJournal(store: fixture.store), policy: .robust,
      schedule: AlarmSchedule(resolver: fixture.resolver), devices: fixture.devices,
      start: EngineFixture.start.adding(seconds: 11_000), clock: .wall(lateAfter: 60))
    func stay(at metres: Double, from seconds: Double) -> [Fix] {
      (0..<60).map { fixture.fix(seconds + Double($0) * 10, metres) }
    }
    _ = try engine.process(stay(at: 5_000, from: 0))
    #expect(try engine.process(stay(at: 0, from: 10_000)).count == count)
    #expect(try engine.process(stay(at: 5_000, from: 1_000) + stay(at: 0, from: 2_000)).isEmpty)
  }

  @Test("Old positions that come in order set off all alarms late, stays too")
  func oldInOrder() throws {
    _ = try engine(at: 600).process(stay(at: 5_000, from: 0))
    let firings = try engine(at: 20_000, maximumAge: 1_000).process(visit)
    #expect(Set(firings.map(\.kind)) == [.enter, .dwell, .leave])
    #expect(firings.allSatisfy { $0.isLate })
  }

  @Test("An alarm that is limited to once a day keeps its last day when an older one comes late")
  func oncePerDay() throws {
    let fixture = try EngineFixture()
    try fixture.reminder("Daily", EngineFixture.alarm(.enter) { $0.frequency = .oncePerDay })
    let day = 86_400.0
    func stay(at metres: Double, from seconds: Double) -> [Fix] {
      (0..<60).map { fixture.fix(seconds + Double($0) * 10, metres) }
    }
    let engine = try fixture.engine(policy: .robust)
    // Silent from the evening of the first day on; in and out on the second; late from the first; in again.
    let live = stay(at: 5_000, from: 0) + stay(at: 5_000, from: 0.9 * day) + stay(at: 0, from: 0.91 * day)
    // The first of the late arrivals counts as the one that was reported.
    let late = [0.0, 3_000].flatMap {
      stay(at: 5_000, from: $0 + 1_000) + stay(at: 0, from: $0 + 2_000) + stay(at: 5_000, from: $0 + 3_000)
    }
    let again = stay(at: 5_000, from: 0.93 * day) + stay(at: 0, from: 0.95 * day)
    #expect(try engine.process(live).count == 1)
    #expect(try engine.process(late).map(\.isLate) == [true])
    #expect(try engine.process(again).isEmpty)
  }

  @Test(
    "The same alarms go off in whichever order a phone sends what it stored, one by one",
    arguments: ["ascending", "descending", "shuffled"], [true, false])
  func anyOrder(order: String, knowsDevice: Bool) throws {
    var engine = try engine(at: 600)
    if knowsDevice { _ = try engine.process(stay(at: 5_000, from: 0)) }
    let stored = stay(at: 5_000, from: 1_000) + visit.dropFirst(60) + stay(at: 0, from: 4_000)
    var random = SeededRandom(seed: 4)
    let sent =
      switch order {
      case "descending": Array(stored.reversed())
      case "shuffled": stored.shuffled(using: &random)
      default: stored
      }
    var kinds: [String] = []
    for (number, fix) in sent.enumerated() {
      // Restarts change nothing.
      if number % 50 == 7 { engine = try self.engine(at: 5_000) }
      kinds += try engine.process([fix]).filter { $0.kind != .dwell }.map(\.kind.rawValue)
    }
    // Nobody stays that long.
    kinds += try engine.advance(to: EngineFixture.start.adding(seconds: 20_000))
      .filter { $0.kind != .dwell }.map(\.kind.rawValue)
    #expect(kinds.sorted() == ["enter", "enter", "leave"], "\(kinds)")
  }

  @Test("On a trace, too", arguments: [1, 1_000])
  func trace(step: Int) throws {
    let fixes = stay(at: 5_000, from: 0) + stay(at: 9_000, from: 10_000) + visit
    let engine = try fixture.dryRun(policy: .robust)
    var firings: [Firing] = []
    for first in stride(from: 0, to: fixes.count, by: step) {
      firings += try engine.process(Array(fixes[first..<min(first + step, fixes.count)]))
    }
    #expect(firings.map(\.kind) == [.enter, .leave])
    #expect(firings.map(\.isLate) == [true, true])
  }
}
