import FencepostGeodesy
import FencepostGeofencing
import FencepostSpatiotemporal
import Testing

/// What phones do that clean traces don't, each as a small trace of its own, against the fence of ``Story``.
@Suite("Phones")
struct PhoneTests {
  private static let start = 1_700_000_000.0

  private static func fix(_ seconds: Double, _ metres: Double, _ accuracy: Double, speed: Double? = nil)
    -> Fix
  {
    var fix = Story.fix(start + seconds, metres, accuracy)
    fix.speed = speed
    return fix
  }

  /// A walk of six minutes from 500 m away to `metres`, a fix each ten seconds.
  private static func walk(to metres: Double, accuracy: Double = 10) -> [Fix] {
    (0...36).map { fix(Double($0 * 10), -500 + (metres + 500) * Double($0) / 36, accuracy) }
  }

  /// An hour at `metres`, a fix each ten seconds.
  private static func hour(at metres: Double, accuracy: Double = 10) -> [Fix] {
    (0..<360).map { fix(Double($0 * 10), metres, accuracy) }
  }

  private func kinds(_ fixes: [Fix]) -> String {
    run(fixes, against: [Story.fence], .robust).transitions.map { $0.kind == .enter ? "+" : "-" }.joined()
  }

  @Test("A phone that stops sending on arrival has arrived, a minute later")
  func silenceOnArrival() throws {
    var fixes = (0..<20).map { PhoneTests.fix(Double($0) * 10, -400 + Double($0) * 13, 10) }
    // What it says of itself once it hears a network: five fixes of 65 m, not deep inside.
    fixes += (0..<5).map { PhoneTests.fix(200 + Double($0) * 2, -82 + Double($0), 65) }
    let last = try #require(fixes.last)
    #expect(run(fixes, against: [Story.fence], .robust).transitions.isEmpty)

    let evaluator = FenceEvaluator(policy: .robust, index: FenceIndex([Story.fence]))
    var state = run(fixes, against: [Story.fence], .robust).state
    let due = try #require(state.confirmsAt)
    #expect(due == last.time.adding(seconds: 60))
    var transitions: [Transition] = []
    evaluator.settleBySilence(through: due.adding(seconds: -1), of: .first, state: &state, into: &transitions)
    #expect(transitions.isEmpty)
    var judgements: [Judgement] = []
    evaluator.settleBySilence(through: due, of: .first, state: &state, into: &transitions) {
      judgements.append($0)
    }
    #expect(judgements.map(\.outcome) == [.settledBySilence])
    let arrival = try #require(transitions.first)
    #expect(arrival.kind == .enter && arrival.confirmedAt == due && arrival.time <= last.time)
    #expect(state.confirmsAt == nil)
    #expect(evaluator.isInside(Story.fence.id, state) == true)

    // In a trace the next fix tells that time has passed, though it is outside again, three hours later.
    let later = fixes + [PhoneTests.fix(11_000, -140, 65)]
    #expect(run(later, against: [Story.fence], .robust).transitions.first == arrival)
  }

  @Test("A stray fix does not become a leave in the silence after a held fix that contradicts it")
  func heldAfterStray() throws {
    let stray = PhoneTests.hour(at: 0) + [PhoneTests.fix(3_650, 130, 20)]
    let doubt = run(stray, against: [Story.fence], .robust)
    #expect(doubt.transitions.isEmpty && doubt.state.confirmsAt != nil)
    // 65 m/s after a rest: the fix is held until another one, or silence, confirms it.
    var held = run(stray + [PhoneTests.fix(3_652, 0, 20)], against: [Story.fence], .robust)
    #expect(held.state.heldPosition != nil)
    held.state = try DeviceState(decoding: held.state.encoded())
    let evaluator = FenceEvaluator(policy: .robust, index: FenceIndex([Story.fence]))
    while let confirmsAt = held.state.confirmsAt {
      evaluator.settleBySilence(through: confirmsAt, of: .first, state: &held.state, into: &held.transitions)
    }
    #expect(held.transitions.isEmpty && held.state.heldPosition == nil)
  }

  @Test("A phone that drove through and fell silent has not arrived")
  func silenceOnTheMotorway() {
    let fixes = (0..<20).map { PhoneTests.fix(Double($0) * 5, -2_450 + Double($0) * 125, 10, speed: 25) }
    #expect(run(fixes, against: [Story.fence], .robust).state.confirmsAt == nil)
  }

  @Test("A coordinate repeated to the last digit, 48 km off, is no place to have gone to")
  func repeatedStray() {
    let stray = (0..<12).map { PhoneTests.fix(3_600 + Double($0) * 10, 48_000, 20) }
    let back = (0..<30).map { PhoneTests.fix(3_720 + Double($0) * 10, 0, 10) }
    #expect(kinds(PhoneTests.hour(at: 0) + stray + back) == "")
  }

  @Test("A coordinate repeated to the last digit counts once")
  func repetition() throws {
    let fixes = PhoneTests.hour(at: 0) + (0..<24).map { PhoneTests.fix(3_650 + Double($0) * 10, 125, 40) }
    let evaluator = FenceEvaluator(policy: .robust, index: FenceIndex([Story.fence]))
    var state = DeviceState()
    var transitions: [Transition] = []
    var judgements: [Judgement] = []
    for fix in fixes { evaluator.evaluate(fix, state: &state, into: &transitions) { judgements.append($0) } }
    // As good as silence: after three minutes of it the phone is believed to be there.
    let settled = try #require(judgements.last)
    judgements.removeLast()
    #expect(settled.outcome == .settledBySilence && transitions.map(\.kind) == [.leave])
    #expect(
      judgements.map { $0.circumstances.contains(.repetition) } == [false] + Array(repeating: true, count: 17)
    )
    #expect(judgements.map { $0.gain > 0 } == [true] + Array(repeating: false, count: 17))
  }

  @Test("A coordinate that is repeated for a quarter of an hour is where the phone is")
  func longRepetition() {
    let away = (0..<15).map { PhoneTests.fix(3_600 + Double($0) * 60, 1_400, 20) }
    #expect(kinds(PhoneTests.hour(at: 0) + away.prefix(2)) == "")
    #expect(kinds(PhoneTests.hour(at: 0) + away) == "-")
  }

  @Test("A phone that repeated its last coordinate under ground has gone on since it first said that")
  func underGround() {
    let under = (0...20).map { PhoneTests.fix(Double($0) * 30, -15_000, 20) }
    let out = (1...4).map { PhoneTests.fix(600 + Double($0) * 30, -40 + Double($0) * 10, 20) }
    #expect(kinds(under + out) == "+")
    // Another that said where it was until then can't have gone so far.
    let there = (0...20).map { PhoneTests.fix(Double($0) * 30, -15_000 + Double($0), 20) }
    #expect(kinds(there + out) == "")
  }

  @Test("A phone that stood and was silent left shortly before it spoke again")
  func leaveAfterSilence() throws {
    let away = [
      PhoneTests.fix(6_000, 300, 10), PhoneTests.fix(6_030, 450, 10), PhoneTests.fix(6_060, 600, 10),
    ]
    let leave = try #require(
      run(PhoneTests.hour(at: 0) + away, against: [Story.fence], .robust).transitions.first)
    let before = PhoneTests.fix(6_000, 0, 10).time.seconds(since: leave.time)
    #expect(leave.kind == .leave && before > 60 && before < 300)
  }

  @Test("Silence after a fix that says nearly nothing is no reason to have left")
  func nearlyNothing() {
    let fixes = PhoneTests.walk(to: 0) + [PhoneTests.fix(375, 110, 110)]
    #expect(run(fixes, against: [Story.fence], .robust).state.confirmsAt == nil)
    #expect(kinds(fixes + [PhoneTests.fix(2_000, 0, 20)]) == "+")
  }

  @Test("A phone that was silent in an airliner arrives at the other end of the flight")
  func flight() throws {
    let before = (0..<60).map { PhoneTests.fix(Double($0) * 10, -6_200_000 + Double($0) * 30, 10) }
    // 6,200 km in 9.3 hours, then an hour on the ground.
    let after = (0..<360).map { PhoneTests.fix(34_080 + Double($0) * 10, Double($0 % 5), 10) }
    let transitions = run(before + after, against: [Story.fence], .robust).transitions
    #expect(transitions.map(\.kind) == [.enter])
    #expect(try #require(transitions.first).settledSeconds(after: before[0]) < 34_200)
    // The same in ten minutes is no flight.
    let soon = (0..<20).map { PhoneTests.fix(1_200 + Double($0) * 10, Double($0 % 5), 10) }
    #expect(kinds(before + soon) == "")
  }

  @Test("A report of the phone counts in full, after a jump and at a repeated coordinate")
  func fullVerdict() {
    // Each fix is 40 m beyond the boundary, and good.
    func gains(_ fixes: [Fix]) -> [Double] {
      var gains: [Double] = []
      let evaluator = FenceEvaluator(policy: .robust, index: FenceIndex([Story.fence]))
      var (state, transitions) = (DeviceState(), [Transition]())
      for fix in fixes {
        evaluator.evaluate(fix, state: &state, into: &transitions) { gains.append($0.gain) }
      }
      return gains
    }
    let before = (0..<10).map { PhoneTests.fix(Double($0) * 10, -500 + Double($0 % 2), 10) }
    var report = PhoneTests.fix(110, -60, 10)
    #expect(gains(before + [report]).allSatisfy { $0 < 2 })
    report.verdict = PhoneVerdict(.enter)
    #expect(gains(before + [report]).contains { $0 > 4 })
    var first = PhoneTests.fix(110, -105, 30)
    let crossing = PhoneTests.fix(200, -60, 10)
    first.verdict = nil
    var repeated = PhoneTests.fix(201, -60, 10)
    repeated.verdict = PhoneVerdict(.enter)
    let all = gains(before + [first, crossing, repeated])
    #expect(all.isEmpty || all.dropFirst().allSatisfy { $0 == 0 || $0 > 4 })
  }

  @Test("A phone lies still on either side of the antimeridian", arguments: [170.0, 180, -180])
  func stillAtAntimeridian(longitude: Double) {
    let place = Coordinate(latitude: -16.8, longitude: longitude)
    let fence = Fence(id: FenceID(rawValue: 1), region: .circle(center: place, radius: 100))
    // Minutes on each side of the boundary and of the meridian, around a place 100 m north of the fence's
    // centre.
    let fixes = (0..<720).map { number in
      let isNorth = (number / 12) % 2 == 0
      let there = Geodesic.destination(from: place, azimuth: 0, metres: isNorth ? 125 : 75)
      return Fix(
        time: Instant(microseconds: Int64((PhoneTests.start + Double(number) * 30) * 1e6)),
        coordinate: Geodesic.destination(from: there, azimuth: 90, metres: number % 2 == 0 ? 20 : -20),
        horizontalAccuracy: 65)
    }
    #expect(run(fixes, against: [fence], .robust).transitions.isEmpty)
  }

  @Test("A phone that says that it stands has arrived after a minute, as seldom as it speaks")
  func stationary() throws {
    var fixes = (0..<10).map { PhoneTests.fix(Double($0) * 120, -2_000 + Double($0) * 150, 20) }
    fixes.append(PhoneTests.fix(1_200, -95, 60))
    func wait(_ fixes: [Fix]) throws -> Double {
      let state = run(fixes, against: [Story.fence], .robust).state
      return try #require(state.confirmsAt).seconds(since: try #require(fixes.last).time)
    }
    #expect(try wait(fixes) == 240)
    fixes[10].isStill = true
    #expect(try wait(fixes) == 60)
  }

  @Test("A fix that shows that a phone left does not show that it will be back")
  func leavesWithoutReaching() {
    // A fix in a quarter of an hour: the last two are just outside, on either side.
    let places: [(Double, Double)] = [
      (-6_000, 10), (-3_000, 10), (0, 10), (-126, 165), (115, 10), (3_000, 10), (6_000, 10),
    ]
    let fixes = places.enumerated().map { PhoneTests.fix(Double($0) * 900, $1.0, $1.1) }
    #expect(kinds(fixes) == "+-")
  }

  @Test("A phone that wakes up at night and says once that it is 1.1 km off has not left")
  func wakeUp() throws {
    let wakeUp = PhoneTests.fix(3 * 3_600, 1_100, 30)
    let night = PhoneTests.hour(at: 0) + [wakeUp]
    #expect(kinds(night) == "")
    #expect(run(night, against: [Story.fence], .robust).state.confirmsAt == nil)
    // Half a minute, or half an hour, later.
    for gap in [30.0, 1_800] {
      #expect(kinds(night + (0..<5).map { PhoneTests.fix(3 * 3_600 + gap + Double($0) * 10, 0, 20) }) == "")
    }
  }

  @Test(
    "With a fix in fifteen minutes, one is enough",
    arguments: [(0.0, "+"), (-85, "+"), (-112, "+"), (-160, "")])
  func oneFixInFifteenMinutes(metres: Double, expected: String) throws {
    let fixes = (0..<8).map { PhoneTests.fix(Double($0) * 900, -40_000 + Double($0) * 5_000, 30) }
    let arrival = PhoneTests.fix(8 * 900, metres, 20)
    let transitions = run(fixes + [arrival], against: [Story.fence], .robust).transitions
    #expect(transitions.map { $0.kind == .enter ? "+" : "-" }.joined() == expected)
    if expected == "+" { #expect(transitions.first?.confirmedAt == arrival.time) }
    // And out again at the next.
    let away = fixes + [arrival, PhoneTests.fix(9 * 900, 6_000, 20)]
    #expect(kinds(away) == expected + (expected == "+" ? "-" : ""))
    // Where it was only taken to have gone in, it was there half way to the next fix.
    guard metres == -112 else { return }
    let leave = try #require(run(away, against: [Story.fence], .robust).transitions.last)
    #expect(leave.time == arrival.time.adding(seconds: 450))
  }

  @Test("A phone that lies still beside a boundary crosses it never, however its fixes wander")
  func wandering() {
    // Back and forth over the boundary, minutes on each side, as networks make them.
    let fixes = (0..<720).map { number in
      PhoneTests.fix(Double(number) * 30, -110 + ((number / 12) % 2 == 0 ? -25 : 25), 65)
    }
    #expect(kinds(fixes) == "")
  }

  @Test("A phone that lies still does not pass by either")
  func passingAtRest() {
    var fence = Story.fence
    fence.seesPassing = true
    // At home beside the fence; every eleventh fix strays 40 m into it.
    let fixes = (0..<360).map { number in
      let metres: Double = number % 11 == 10 ? -60 : -112 - Double(number % 3)
      return PhoneTests.fix(Double(number) * 30, metres, 20)
    }
    #expect(run(fixes, against: [fence], .robust).transitions.isEmpty)
  }

  @Test("An iPhone's 65 m are 37 m, and only an iPhone's thousands are worth anything")
  func claims() {
    // Android claims 65.5 m, and means a little less.
    func accuracy(_ claims: [Double]) -> Double? {
      let fixes = claims.enumerated().map { PhoneTests.fix(Double($0.offset) * 60, -5_000, $0.element) }
      return run(fixes, against: [Story.fence], .robust).state.lastFix?.accuracy
    }
    #expect(accuracy([65, 65]).map { abs($0 - 37) < 0.1 } == true)
    #expect(accuracy([65.5]) == 65.5 * 0.8)
    #expect(accuracy([50]) == 50)
    #expect(accuracy([3]) == 10)
    #expect(accuracy([65, 165]) == 79)
    #expect(accuracy([65, 104.029275996]) == 71)
    #expect(accuracy([65, 165, 3_000]) == 150)
    // One claim is no habit.
    #expect(accuracy([65]) == 52)
    #expect(accuracy([165]) == 132)
    // Turned away: from whom nothing is known, and what is larger than any claim that was measured.
    #expect(accuracy([20, 3_000]) == 20)
    #expect(accuracy([20, 3_000.1234]) == 20)
    #expect(accuracy([20, 38_291.1234]) == 20)
    #expect(accuracy([65, 65, 165, 20, 38_291.1234]) == 20)
  }
}

extension Transition {
  /// When it was sure, in seconds after a fix.
  fileprivate func settledSeconds(after fix: Fix) -> Double { (confirmedAt ?? time).seconds(since: fix.time) }
}
