import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostGeofencing
import FencepostRecurrence
import FencepostTestSupport
import Testing

@Suite("Runs of fixes")
struct WeighingTests {
  /// Three devices, each for one fix or some in a row, now and then late, twice, nowhere or a week ahead.
  private func fixes(_ fixture: EngineFixture, using random: inout SeededRandom) -> [Fix] {
    var fixes: [Fix] = []
    var clock = [0.0, 0.0, 0.0]
    var place = [-300.0, 700.0, 100.0]
    while fixes.count < 600 {
      let device = Int.random(in: 0...2, using: &random)
      let isAlone = Int.random(in: 0...3, using: &random) > 0
      for _ in 0..<(isAlone ? 1 : Int.random(in: 1...40, using: &random)) {
        clock[device] += Double.random(in: 1...12, using: &random)
        place[device] += Double.random(in: -30...32, using: &random)
        var fix = fixture.fix(clock[device], place[device], device: "device \(device)")
        switch Int.random(in: 0...40, using: &random) {
        case 0: fix.time = fix.time.adding(seconds: -600)
        case 1: fix.time = fix.time.adding(seconds: 7 * 86_400)
        case 2: fix.coordinate = Coordinate(latitude: .nan, longitude: 0)
        case 3: fixes.append(fix)
        // Another tile of fences.
        case 4: fix.coordinate = Coordinate(latitude: 10, longitude: 10)
        default: break
        }
        fixes.append(fix)
      }
    }
    return fixes
  }

  @Test("Whoever is told of something may ask the engine")
  func questions() throws {
    let fixture = try EngineFixture()
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    let engine = try fixture.dryRun(policy: .robust)
    var heard: Set<String> = []
    func ask(_ name: String) {
      heard.insert(name)
      #expect(engine.now >= EngineFixture.start && engine.counts.firings == 0)
    }
    engine.onJudgement = { _, _ in ask("judgement") }
    engine.onFix = { _, _ in ask("fix") }
    engine.onTransition = { transition, _ in
      ask("transition")
      #expect(engine.gap(around: transition) == nil)
    }
    let way = (0..<60).map { fixture.fix(Double($0) * 10, -400 + Double($0) * 10) }
    #expect(try engine.process(way).count == 1)
    #expect(heard == ["judgement", "fix", "transition"])
  }

  @Test(
    "Taken in hand at once they lead to what they lead to one by one, whether somebody watches or not",
    arguments: [Policy.exact, .robust], [1, 2, 3] as [UInt64])
  func sameOutcome(policy: Policy, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let fixture = try EngineFixture()
    for number in 0..<8 {
      let metres = Double(number) * 110
      try fixture.reminder("In \(number)", EngineFixture.alarm(.enter, at: metres, radius: 50))
      try fixture.reminder("Out \(number)", EngineFixture.alarm(.leave, at: metres, radius: 50))
      try fixture.reminder("Stay \(number)", EngineFixture.alarm(.dwell(seconds: 20), at: metres, radius: 50))
    }
    for minute in stride(from: 1, to: 59, by: 7) {
      try fixture.reminder(
        "At \(minute)", due: EngineFixture.time(8, minute), Alarm(trigger: .relative(.zero, to: .start)))
    }
    let fixes = fixes(fixture, using: &random)
    func outcome(
      step: Int, isWatched: Bool
    ) throws -> (firings: [Firing], counts: AlarmEngine.Counts, now: Instant) {
      let engine = try fixture.dryRun(policy: policy)
      var told = 0
      if isWatched { engine.onFix = { _, _ in told += 1 } }
      var firings: [Firing] = []
      for first in stride(from: 0, to: fixes.count, by: step) {
        firings += try engine.process(Array(fixes[first..<min(first + step, fixes.count)]))
      }
      if isWatched { #expect(told == fixes.count) }
      return (firings, engine.counts, engine.now)
    }
    let expected = try outcome(step: 1, isWatched: true)
    #expect(expected.firings.count > 10)
    for (step, isWatched) in [(1, false), (17, false), (400, true), (400, false), (600, false)] {
      let actual = try outcome(step: step, isWatched: isWatched)
      #expect(actual.firings == expected.firings, "seed \(seed), \(step) at a time")
      #expect(actual.counts == expected.counts)
      #expect(actual.now == expected.now)
    }
  }
}
