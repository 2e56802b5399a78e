import FencepostGeodesy
import FencepostGeofencing
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@Suite("The state of a device")
struct DeviceStateTests {
  /// A phone's day: walks and stays, noise, strays, duplicates, late fixes and outages.
  func day(seed: UInt64) -> (fixes: [Fix], fences: [Fence]) {
    var random = SeededRandom(seed: seed)
    let center = Spot.antimeridian.center
    let fences = randomFences(40, around: center, spread: 2_000, radii: 50...800, using: &random)
    var fixes: [Fix] = []
    var time = 1_700_000_000.0
    var here = center
    for leg in 0..<40 {
      let azimuth = random.number(in: -180...180)
      let speed = leg % 3 == 0 ? 0 : random.number(in: 1...15)
      for _ in 0..<20 {
        let step = random.number(in: 1...20)
        time += step
        here = Geodesic.destination(from: here, azimuth: azimuth, metres: speed * step)
        let noise = random.normal() * 8
        let stray = random.number(in: 0...1) < 0.02 ? 800.0 : 0
        fixes.append(
          Fix(
            time: Instant(microseconds: Int64(time * 1e6)),
            coordinate: Geodesic.destination(from: here, azimuth: 37, metres: noise + stray),
            horizontalAccuracy: random.number(in: 5...40)))
      }
      if leg % 9 == 5 { time += 900 }
      if Geodesic.distance(from: here, to: center) > 2_000 { here = center }
    }
    return (fixes, fences)
  }

  @Test("A state after any silence can be read again")
  func silences() throws {
    var random = SeededRandom(seed: 7)
    let center = Spot.midLatitude.center
    let fence = Fence(id: FenceID(rawValue: 1), region: .circle(center: center, radius: 100))
    for _ in 0..<3_000 {
      let gap = random.number(in: 300...4_000)
      let fixes = [(0.0, 0.0), (10, 1), (20, 0), (20 + gap, random.number(in: 120...400))].map {
        Fix(
          time: Instant(microseconds: Int64((1_700_000_000 + $0.0) * 1e6)),
          coordinate: Geodesic.destination(from: center, azimuth: 30, metres: $0.1), horizontalAccuracy: 30,
          startsSegment: $0.0 > 20)
      }
      let state = run(fixes, against: [fence], .robust).state
      #expect(try DeviceState(decoding: state.encoded()) == state, "gap \(gap)")
    }
  }

  @Test(
    "A run in pieces, saved and loaded between, is the run", arguments: [Policy.exact, .robust],
    1...6 as ClosedRange<UInt64>)
  func pieces(policy: Policy, seed: UInt64) throws {
    let (fixes, fences) = day(seed: seed)
    let whole = run(fixes, against: fences, policy)
    #expect(!whole.transitions.isEmpty)
    var random = SeededRandom(seed: seed)
    var state = DeviceState()
    var transitions: [Transition] = []
    var rest = fixes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...60, using: &random))
      rest = rest.dropFirst(piece.count)
      let result = run(Array(piece), against: fences.shuffled(using: &random), policy, state: state)
      transitions += result.transitions
      state = try DeviceState(decoding: result.state.encoded())
      #expect(state == result.state)
    }
    #expect(transitions == whole.transitions, "seed \(seed)")
    #expect(state == whole.state)
  }

  @Test(
    "Duplicates and fixes that come too late change nothing", arguments: [Policy.exact, .robust],
    1...6 as ClosedRange<UInt64>)
  func duplicatesAndLateFixes(policy: Policy, seed: UInt64) {
    let (fixes, fences) = day(seed: seed)
    var random = SeededRandom(seed: seed)
    var delivered: [Fix] = []
    for (number, fix) in fixes.enumerated() {
      delivered.append(fix)
      switch Int.random(in: 0..<30, using: &random) {
      case 0: delivered.append(fix)
      case 1: delivered.append(fixes[max(0, number - 4)])
      default: break
      }
    }
    #expect(delivered.count > fixes.count)
    let result = run(delivered, against: fences, policy)
    #expect(result.transitions == run(fixes, against: fences, policy).transitions, "seed \(seed)")
  }

  @Test("Bytes that are no state are refused, never believed or fatal")
  func garbage() throws {
    let (fixes, fences) = day(seed: 2)
    let state = run(Array(fixes.prefix(333)), against: fences, .robust).state
    let bytes = state.encoded()
    #expect(bytes.count < 3_000)
    #expect(try DeviceState(decoding: bytes) == state)
    for length in 0..<bytes.count {
      #expect(throws: DeviceStateDecodingError.self) { try DeviceState(decoding: bytes.prefix(length)) }
    }
    #expect(throws: DeviceStateDecodingError.self) { try DeviceState(decoding: bytes + [0]) }
    #expect(throws: DeviceStateDecodingError.self) { try DeviceState(decoding: [99] + bytes.dropFirst()) }
    var random = SeededRandom(seed: 3)
    for _ in 0..<2_000 {
      var broken = bytes
      for _ in 0..<3 {
        broken[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      // Whatever it says, going on from it is safe.
      if let state = try? DeviceState(decoding: broken) {
        _ = run(Array(fixes[333..<340]), against: fences, .robust, state: state)
      }
    }
  }

  @Test("A state that was saved before phones were weighed as such is read")
  func olderVersion() throws {
    let fixes = (0..<9).map {
      Fix(time: Instant(seconds: $0 * 60), coordinate: Spot.equator.center, horizontalAccuracy: 20)
    }
    let state = run(fixes, against: [], .robust).state
    var bytes = state.encoded()
    // The usual gap, since when it is there, whose claims they are, where the device stands, and the seconds of
    // its last step.
    bytes.removeSubrange(59..<117)
    // That there is a past, before the first fix, and that no presence was reported.
    bytes.removeLast(56)
    bytes[0] = 1
    let older = try DeviceState(decoding: bytes)
    #expect(older.lastFix == state.lastFix && older.lastFix != nil)
    #expect(older.confirmsAt == nil)
  }

  @Test("A state that was saved before held fixes settledBySilence is read")
  func beforeConfirmingHeldBySilence() throws {
    let fixes = [0.0, 0, 0, 5_000].enumerated().map { second, metres in
      Fix(
        time: Instant(seconds: Int64(second)),
        coordinate: Geodesic.destination(from: Spot.equator.center, azimuth: 10, metres: metres),
        horizontalAccuracy: 20)
    }
    let state = run(fixes, against: [], .robust).state
    #expect(state.heldPosition != nil && state.confirmsAt != nil)
    var bytes = state.encoded()
    // The past before the first fix has its own form since, and when silence confirms the held fix was not there. Between
    // them is the number of doubts.
    bytes.removeLast(56)
    bytes.removeSubrange((bytes.count - 12)..<(bytes.count - 4))
    bytes.append(0)
    // The seconds of the last step.
    bytes.removeSubrange(109..<117)
    bytes[0] = 4
    let older = try DeviceState(decoding: bytes)
    #expect(older.lastFix == state.lastFix)
    #expect(older.heldPosition?.fix == state.heldPosition?.fix)
    #expect(older.heldPosition?.reason == .impossibleSpeed)
    #expect(older.confirmsAt == nil)
  }

  @Test("Late fixes that came out of order outlive a restart")
  func late() throws {
    let (fixes, fences) = day(seed: 4)
    let order = Array(fixes[..<50]) + fixes[50..<120].reversed()
    let whole = run(order, against: fences, .robust)
    var state = DeviceState()
    var transitions: [Transition] = []
    for fix in order {
      let part = run([fix], against: fences, .robust, state: try DeviceState(decoding: state.encoded()))
      state = part.state
      transitions += part.transitions
    }
    #expect(transitions == whole.transitions)
    #expect(state == whole.state)
  }

  @Test("A device that is far from every boundary is small, inside or outside")
  func size() {
    let fences = (0..<500).map {
      Fence(
        id: FenceID(rawValue: Int64($0)),
        region: .circle(center: Spot.equator.center, radius: 5_000 + Double($0)))
    }
    let fix = Fix(time: Instant(seconds: 9), coordinate: Spot.equator.center)
    let state = run([fix], against: fences, .robust).state
    #expect(FenceEvaluator(policy: .robust, index: FenceIndex(fences)).fencesInside(state).count == 500)
    #expect(state.encoded().count < 180)
    #expect(MemoryLayout<DeviceState>.size < 500)
  }
}
