import FencepostGeodesy
import FencepostGeofencing
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

/// Fixes that come after the one that ended a silence.
@Suite("Late fixes")
struct LateFixTests {
  private static let place = Coordinate(latitude: 52.5, longitude: 13.4)
  private static let start = Instant(seconds: 1_777_701_600)
  private static let fences = [
    Fence(id: FenceID(rawValue: 1), region: .circle(center: place, radius: 100)),
    Fence(id: FenceID(rawValue: 2), region: .circle(center: at(3_000), radius: 100)),
  ]

  private static func at(_ metres: Double) -> Coordinate {
    Geodesic.destination(from: place, azimuth: 0, metres: metres)
  }

  /// Ten minutes at a place.
  private static func stay(_ metres: Double, from seconds: Double, accuracy: Double = 12) -> [Fix] {
    (0..<20).map { step in
      Fix(
        time: start.adding(seconds: seconds + Double(step) * 30), coordinate: at(metres + Double(step % 2)),
        horizontalAccuracy: accuracy)
    }
  }

  /// Crossings in short, in the order in which they were told: `-1`, or `-1 late`.
  private static func crossings(_ pieces: [[Fix]], restarts: Bool) throws -> [String] {
    let evaluator = FenceEvaluator(policy: .robust, index: FenceIndex(fences))
    var state = DeviceState()
    var found: [Transition] = []
    for piece in pieces {
      for fix in piece { evaluator.evaluate(fix, state: &state, into: &found) }
      if restarts { state = try DeviceState(decoding: state.encoded()) }
    }
    let end = (pieces.joined().map(\.time).max() ?? .epoch).adding(seconds: 3_600)
    evaluator.settleBySilence(through: end, of: .first, state: &state, into: &found)
    #expect(state.confirmsAt == nil)
    #expect(Set(evaluator.fencesInside(state)) == Set(evaluator.index.fences(containing: at(end: pieces))))
    return found.map { "\($0.kind == .enter ? "+" : "-")\($0.fence.rawValue)\($0.isLate ? " late" : "")" }
  }

  /// Where the device is in the end.
  private static func at(end pieces: [[Fix]]) -> Coordinate {
    pieces.joined().max { $0.time < $1.time }?.coordinate ?? place
  }

  /// What is told of a device that was at `before`, fell silent, came back at `after`, and then sends what it
  /// had stored.
  struct Case: CustomTestStringConvertible, Sendable {
    let before: Double
    let stored: [Double]
    let after: Double
    let told: [String]
    var accuracy = 12.0
    var testDescription: String { "\(before) \(stored) \(after) ±\(accuracy)" }
  }

  static let cases = [
    // Out and back again; the last stored fix may be anywhere on the way.
    Case(before: 0, stored: [1_500], after: 0, told: ["+1 late", "-1 late"]),
    Case(before: 0, stored: [1_500, 0], after: 0, told: ["+1 late", "-1 late"]),
    Case(before: 0, stored: [3_000], after: 0, told: ["+1 late", "+2 late", "-1 late", "-2 late"]),
    Case(before: 0, stored: [3_000, 1_500], after: 0, told: ["+1 late", "+2 late", "-1 late", "-2 late"]),
    // The live fixes told of the leave.
    Case(before: 0, stored: [1_500], after: 1_500, told: ["-1"]),
    Case(before: 0, stored: [1_500, 0], after: 1_500, told: ["+1 late", "-1", "-1 late"]),
    // A visit that ended, and one that went on.
    Case(before: 1_500, stored: [0], after: 1_500, told: ["+1 late", "-1 late"]),
    Case(before: 1_500, stored: [0], after: 0, told: ["+1"]),
    Case(before: 1_500, stored: [0, 1_500], after: 0, told: ["+1", "+1 late", "-1 late"]),
    // Coarse, but where it was before.
    Case(before: 0, stored: [1_500], after: 0, told: ["+1 late", "-1 late"], accuracy: 150),
  ]

  @Test(
    "What a phone stored is told in full: where it went, and how it came to where it was heard again",
    arguments: cases, [true, false])
  func closed(one: Case, isRestarted: Bool) throws {
    for order in ["ascending", "descending", "shuffled"] {
      var stored = one.stored.enumerated().flatMap {
        Self.stay($0.element, from: 4_000 + Double($0.offset) * 3_000)
      }
      var random = SeededRandom(seed: 4)
      if order == "descending" { stored.reverse() }
      if order == "shuffled" { stored.shuffle(using: &random) }
      let live = Self.stay(one.after, from: 20_000, accuracy: one.accuracy)
      let told = try Self.crossings(
        [Self.stay(one.before, from: 0), live] + stored.map { [$0] }
          + [Self.stay(one.after, from: 20_700, accuracy: one.accuracy)], restarts: isRestarted)
      #expect(told.sorted() == one.told, "\(order)")
    }
  }

  @Test("No late crossing is dated after the last live fix, or sure before it happened", arguments: cases)
  func dating(one: Case) {
    let evaluator = FenceEvaluator(policy: .robust, index: FenceIndex(Self.fences))
    for order in 0..<3 {
      var stored = one.stored.enumerated().flatMap {
        Self.stay($0.element, from: 4_000 + Double($0.offset) * 3_000)
      }
      var random = SeededRandom(seed: 4)
      if order == 1 { stored.reverse() }
      if order == 2 { stored.shuffle(using: &random) }
      var state = DeviceState()
      var found: [Transition] = []
      let live = Self.stay(one.after, from: 20_000, accuracy: one.accuracy)
      for fix in Self.stay(one.before, from: 0) + live + stored {
        evaluator.evaluate(fix, state: &state, into: &found)
      }
      while let confirmsAt = state.confirmsAt {
        evaluator.settleBySilence(through: confirmsAt, of: .first, state: &state, into: &found)
      }
      let last = live[live.count - 1].time
      for crossing in found where crossing.isLate {
        #expect(crossing.time <= last && crossing.confirmedAt ?? crossing.time <= last, "\(crossing)")
        #expect(crossing.time <= crossing.confirmedAt ?? crossing.time, "\(crossing)")
      }
    }
  }

  @Test("Late fixes are saved no longer than until the next silence", arguments: [1, 3])
  func size(silences: Int) throws {
    let evaluator = FenceEvaluator(policy: .robust, index: FenceIndex(Self.fences))
    var state = DeviceState()
    var found: [Transition] = []
    func weigh(_ fixes: [Fix]) { for fix in fixes { evaluator.evaluate(fix, state: &state, into: &found) } }
    weigh(Self.stay(0, from: 0))
    for silence in 1...silences {
      let begin = Double(silence) * 20_000
      weigh(Self.stay(1_500, from: begin))
      let small = state.encoded().count
      weigh((0..<10).flatMap { Self.stay(3_000, from: begin - 15_000 + Double($0) * 600) })
      #expect(state.encoded().count > small + 5_000)
      weigh(Self.stay(1_500, from: begin + 1_000))
      // They are settled. Those from then still count, if they are newer.
      #expect(state.encoded().count < small + 1_000)
    }
    #expect(found.filter { $0.fence.rawValue == 2 && $0.kind == .enter }.count == silences)
  }
}
