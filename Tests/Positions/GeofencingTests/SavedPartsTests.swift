import FencepostGeodesy
import FencepostGeofencing
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

/// States that are saved in parts.
@Suite("Saved parts of a state")
struct SavedPartsTests {
  private static let place = Coordinate(latitude: 52.5, longitude: 13.4)
  private static let start = Instant(seconds: 1_777_701_600)
  private static let fences = [0.0, 3_000].enumerated().map { number, metres in
    Fence(id: FenceID(rawValue: Int64(number)), region: .circle(center: at(metres), radius: 100))
  }
  private static let evaluator = FenceEvaluator(policy: .robust, index: FenceIndex(fences))

  private static func at(_ metres: Double) -> Coordinate {
    Geodesic.destination(from: place, azimuth: 0, metres: metres)
  }

  private static func fix(_ seconds: Double, _ metres: Double) -> Fix {
    Fix(time: start.adding(seconds: seconds), coordinate: at(metres), horizontalAccuracy: 12)
  }

  /// What a store does with changes.
  private struct Saved {
    var state: [UInt8] = []
    var silences: [Int64: DeviceState.SavedSilence] = [:]

    mutating func apply(_ changes: DeviceState.Changes) {
      state = changes.state
      if changes.replacesAll { silences = [:] }
      for number in changes.ended { silences[number] = nil }
      for change in changes.silences {
        var silence = silences[change.number] ?? .init(number: change.number)
        silence.state = change.state ?? silence.state
        if let settled = change.settledThrough { silence.late = silence.late.filter { $0.key > settled } }
        silence.late.merge(change.late) { _, new in new }
        silences[change.number] = silence
      }
    }

    func decoded() throws -> DeviceState {
      try DeviceState(decoding: state, silences: silences.values.shuffled())
    }
  }

  /// Some days with silences, whose positions come late, in any order, some never.
  private static func days(seed: UInt64) -> [Fix] {
    var random = SeededRandom(seed: seed)
    var fixes: [Fix] = []
    var waiting: [Fix] = []
    var time = 0.0
    for _ in 0..<25 {
      let metres = 1_500 * Double(Int.random(in: 0...2, using: &random))
      let isHeard = Bool.random(using: &random)
      let some = (0..<Int.random(in: 5...40, using: &random)).map { step in
        fix(time + Double(step) * 30, metres + Double(step % 2))
      }
      time += Double(some.count) * 30 + random.number(in: 0...2_000)
      if isHeard {
        fixes += some
        waiting.shuffle(using: &random)
        let count = Int.random(in: 0...waiting.count, using: &random)
        fixes += waiting.prefix(count)
        waiting.removeFirst(count)
      } else {
        waiting += some
      }
    }
    return fixes
  }

  @Test("They are the state, and a run that continues from them is the run", arguments: 1...7)
  func run(seed: Int) throws {
    let fixes = Self.days(seed: UInt64(seed))
    var (state, whole) = (DeviceState(), DeviceState())
    var (found, all): ([Transition], [Transition]) = ([], [])
    var saved = Saved()
    var random = SeededRandom(seed: 9)
    for (number, fix) in fixes.enumerated() {
      Self.evaluator.evaluate(fix, state: &whole, into: &all)
      Self.evaluator.evaluate(fix, state: &state, into: &found)
      // A step of the engine has one fix or several.
      guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
      saved.apply(state.changes)
      state.markSaved()
      #expect(state.changes.silences.isEmpty && state.changes.ended.isEmpty)
      let decoded = try saved.decoded()
      #expect(decoded == state, "fix \(number)")
      if number % 7 == 0 { state = decoded }
      if number % 50 == 0 {
        // An older program saved it in one piece.
        saved = Saved(state: state.encoded())
        state = try saved.decoded()
      }
    }
    #expect(found == all && state == whole)
    #expect(all.contains { $0.isLate })
  }

  @Test("A late fix costs only its own part, however many came before it", arguments: [true, false])
  func cost(isReversed: Bool) throws {
    var state = DeviceState()
    var found: [Transition] = []
    func weigh(_ fix: Fix) { Self.evaluator.evaluate(fix, state: &state, into: &found) }
    for step in 0..<20 { weigh(Self.fix(Double(step) * 30, 0)) }
    for step in 0..<20 { weigh(Self.fix(50_000 + Double(step) * 30, 1_500)) }
    state.markSaved()
    let late = (0..<600).map { Self.fix(2_000 + Double($0) * 60, 1_500 + Double($0 % 2)) }
    var largest = 0
    for (number, fix) in (isReversed ? late.reversed() : late).enumerated() {
      weigh(fix)
      let changes = state.changes
      state.markSaved()
      let parts = changes.silences.flatMap { [$0.state ?? []] + $0.late.values }
      // The first ones settle what was told.
      if number >= 20 { largest = max(largest, changes.state.count + parts.map(\.count).reduce(0, +)) }
    }
    #expect(state.encoded().count > 25_000)
    #expect(largest < 300)
    // A fix of now changes no part, and a silence settles them all.
    weigh(Self.fix(50_630, 1_501))
    #expect(state.changes.silences.isEmpty)
    weigh(Self.fix(60_000, 1_501))
    #expect(state.changes.silences.contains { $0.settledThrough == late.last?.time })
  }

  @Test("Parts that are no state are refused")
  func garbage() throws {
    var state = DeviceState()
    var found: [Transition] = []
    for step in 0..<20 {
      Self.evaluator.evaluate(Self.fix(Double(step) * 30, 0), state: &state, into: &found)
    }
    let changes = state.changes
    let silence = try #require(changes.silences.first)
    let bytes = try #require(silence.state)
    for damaged in [nil, [], Array(bytes.dropLast()), bytes + [0]] as [[UInt8]?] {
      #expect(throws: DeviceStateDecodingError.self) {
        try DeviceState(decoding: changes.state, silences: [.init(number: 0, state: damaged)])
      }
    }
    #expect(throws: DeviceStateDecodingError.self) {
      try DeviceState(
        decoding: changes.state, silences: [.init(number: 0, state: bytes, late: [.epoch: [1, 2]])])
    }
    #expect(try DeviceState(decoding: changes.state, silences: [silence]) == state)
  }
}
