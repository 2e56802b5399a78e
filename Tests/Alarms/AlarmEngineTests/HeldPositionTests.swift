import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing
import FencepostRecurrence
import Testing

/// Positions that are set aside until silence confirms them.
@Suite("Positions that were set aside, in the engine")
struct HeldPositionTests {
  private let fixture: EngineFixture

  init() throws {
    fixture = try EngineFixture()
    try fixture.reminder("Work", EngineFixture.alarm(.enter, at: 11_000, radius: 300))
  }

  private func time(_ seconds: Double) -> Instant { EngineFixture.start.adding(seconds: seconds) }

  private func engine(at seconds: Double = 0, keepsHistory: Bool = false) throws -> AlarmEngine {
    let engine = try AlarmEngine(
      store: fixture.store, journal: StoreJournal(store: fixture.store), policy: .robust,
      schedule: AlarmSchedule(resolver: fixture.resolver), devices: fixture.devices, start: time(seconds),
      clock: .wall(lateAfter: 60))
    engine.keepsHistory = keepsHistory
    return engine
  }

  private func fix(_ seconds: Double, _ metres: Double, _ accuracy: Double) -> Fix {
    var fix = fixture.fix(seconds, metres)
    fix.horizontalAccuracy = accuracy
    return fix
  }

  /// Twelve minutes at home; an hour later one coarse position at work, which silence confirms in 180 s.
  private var home: [Fix] { (0..<12).map { fix(Double($0) * 60, Double($0 % 2) * 4, 12) } }
  private var work: Fix { fix(4_200, 11_000, 100) }

  private func stored() throws -> Fix? { try fixture.store.read { try $0.devices() }.first?.lastFix }

  private func history() throws -> [Int] {
    var found: [Int] = []
    try fixture.store.read { reader in
      try reader.forEachPosition(of: nil) { _, fix in
        found.append(Int(fix.time.seconds(since: EngineFixture.start)))
        return true
      }
    }
    return found.sorted()
  }

  private func run(_ engine: AlarmEngine, _ fixes: [Fix]) throws {
    for fix in fixes {
      _ = try engine.advance(to: max(engine.now, fix.time))
      #expect(try engine.process([fix]).isEmpty)
    }
  }

  /// How the positions come, and when the held one counts.
  enum Delivery: String, CaseIterable {
    case live, late, restarted, lateAndRestarted

    var confirmed: Double {
      switch self {
      case .live: 4_380
      case .late: 5_180
      case .restarted: 4_410
      case .lateAndRestarted: 5_280
      }
    }
  }

  @Test(
    "A position that was set aside waits from when it came, after a restart from then on",
    arguments: Delivery.allCases)
  func wait(delivery: Delivery) throws {
    var engine = try engine()
    let isLate = delivery == .late || delivery == .lateAndRestarted
    if isLate { _ = try engine.advance(to: time(5_000)) }
    try run(engine, home + [work])
    if delivery == .restarted { engine = try self.engine(at: 4_230) }
    if delivery == .lateAndRestarted { engine = try self.engine(at: 5_100) }
    let confirmed = time(delivery.confirmed)
    #expect(try engine.nextDue() == confirmed)
    #expect(try engine.advance(to: confirmed.adding(seconds: -1)).isEmpty)
    #expect(try engine.advance(to: confirmed).map(\.item.rawValue) == ["Work"])
    #expect(try self.engine(at: 9_000).advance(to: time(20_000)).isEmpty)
  }

  @Test("A step without a position leaves the claim of the last one, and a confirmed one brings its own")
  func claims() throws {
    let engine = try engine()
    // A walk that ends just inside: silence settles it.
    try fixture.reminder("Home", EngineFixture.alarm(.enter))
    _ = try engine.follow(.all)
    try run(engine, (0..<20).map { fix(Double($0) * 10, -400 + Double($0) * 14, 7) } + [fix(200, -92, 7)])
    let before = try #require(try stored())
    #expect(before.horizontalAccuracy == 7)
    #expect(try engine.nextDue() == time(260))
    #expect(try engine.advance(to: time(3_000)).count == 1)
    #expect(try stored() == before)
    try run(engine, (0..<12).map { fix(3_000 + Double($0) * 60, -115, 12) } + [fix(7_300, 11_000, 101)])
    #expect(try stored()?.horizontalAccuracy == 12)
    _ = try engine.advance(to: time(9_000))
    #expect(try stored()?.horizontalAccuracy == 101)
    #expect(try stored()?.time == time(7_300))
  }

  @Test(
    "Positions that were set aside count, and are in the history, once they are confirmed",
    arguments: ["silence", "silence, then another", "another", "refuted", "restart"])
  func counts(by ending: String) throws {
    var engine = try engine(keepsHistory: true)
    let second = fix(4_203, 11_010, 90)
    try run(engine, home + [work, second])
    #expect(engine.counts.admissions.admitted == 12)
    #expect(try history().count == 12)
    switch ending {
    case "silence": _ = try engine.advance(to: time(6_000))
    case "silence, then another": _ = try engine.process([fix(6_000, 11_000, 12)])
    case "another": _ = try engine.process([fix(4_300, 11_000, 100)])
    case "refuted": _ = try engine.process([fix(4_260, 0, 12)])
    default:
      engine = try self.engine(at: 4_230, keepsHistory: true)
      _ = try engine.advance(to: time(6_000))
    }
    let times = try history().dropFirst(12)
    let counts = engine.counts.admissions
    switch ending {
    case "silence":
      #expect(times == [4_200, 4_203] && counts.admitted == 14)
    case "silence, then another":
      #expect(times == [4_200, 4_203, 6_000] && counts.admitted == 15)
    case "another":
      #expect(times == [4_200, 4_203, 4_300] && counts.admitted == 15)
    case "refuted":
      #expect(times == [4_260] && counts.admitted == 13 && counts[.unconfirmed] == 2)
    default:
      // The run before counted them.
      #expect(times == [4_203] && counts.admitted == 0)
    }
    if ending != "refuted" { #expect(counts.rejected.isEmpty) }
  }

  @Test("Late positions that count are in the history")
  func late() throws {
    let engine = try engine(keepsHistory: true)
    try run(engine, home + (0..<5).map { fix(20_000 + Double($0) * 60, 5_000, 12) })
    _ = try engine.process((0..<5).map { fix(10_000 + Double($0) * 60, 3_000, 12) })
    #expect(try history().count == 22)
  }
}
