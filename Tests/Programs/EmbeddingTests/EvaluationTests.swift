import CFencepostEmbedding
import FencepostGeodesy
import FencepostGeofencing
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@testable import FencepostEmbedding

@Suite("Batches of the C interface")
struct EvaluationTests {
  static let traces = [
    "Data/commute-week.csv", "Data/errands-walk.gpx", "Data/noisy-phone.csv", "Data/receiver.nmea",
  ]

  /// The fences of the errands, as the engine has them.
  static func errands() throws -> Handle { try fences(iCalendar: Repository.text("Data/errands.ics")) }

  @Test(
    "Transitions and states of C are those of Swift, in batches of any size", arguments: traces,
    [FP_POLICY_ROBUST, FP_POLICY_EXACT])
  func agrees(path: String, policy: Int) throws {
    let fences = try Self.errands()
    let trace = try trace(path)
    defer { withExtendedLifetime((fences, trace)) {} }
    let columns = try #require(fp_trace_fixes(trace.pointer)).pointee
    let devices = fp_trace_device_count(trace.pointer)
    let rows = Rows(columns)
    #expect(columns.count > 100)

    let set: FenceSet = fences.pointer.object()
    let evaluator = policy == FP_POLICY_EXACT ? set.exact : set.robust
    let fixes = try #require(try FixColumns(columns, devices: devices))
    var states = Array(repeating: DeviceState(), count: devices)
    var transitions: [Transition] = []
    for row in 0..<fixes.count {
      evaluator.evaluate(fixes[row], state: &states[fixes.deviceIndex(row)], into: &transitions)
    }
    let end = try #require(rows.time.max())
    for device in states.indices {
      evaluator.settleBySilence(
        through: Instant(microseconds: end), of: DeviceNumber(rawValue: UInt32(device)),
        state: &states[device],
        into: &transitions)
    }
    let expected = transitions.map { transition in
      Crossing(
        device: transition.fix.device.rawValue, fence: transition.fence.rawValue,
        kind: UInt8(transition.kind == .enter ? FP_EVENT_ENTER : FP_EVENT_LEAVE),
        source: UInt8(CrossingSource.allCases.firstIndex(of: transition.source) ?? 99),
        flags: (transition.isInterpolated ? 1 : 0) + (transition.isInitial ? 2 : 0)
          + (transition.isFirstLook ? 4 : 0) + (transition.isLate ? 8 : 0),
        time: transition.time.microseconds,
        confirmed: (transition.confirmedAt
          ?? (transition.isInterpolated ? transition.fix.time : transition.time))
          .microseconds,
        fixTime: transition.fix.time.microseconds)
    }
    let bytes = states.map { state in
      var bytes: [UInt8] = []
      SavedState.append(state, to: &bytes)
      return bytes
    }
    for size in [1, 7, 1_000, rows.time.count] {
      var states = Array(repeating: [UInt8](), count: devices)
      var crossings: [Crossing] = []
      for start in stride(from: 0, to: rows.time.count, by: size) {
        let outcome = try rows.evaluate(
          start..<min(start + size, rows.time.count), fences: fences, states: states, policy: policy)
        crossings += outcome.crossings
        states = outcome.states
      }
      let rest = try rows.evaluate(0..<0, fences: fences, states: states, policy: policy, through: end)
      #expect(crossings + rest.crossings == expected, "batches of \(size)")
      #expect(rest.states == bytes, "batches of \(size)")
    }
  }

  @Test("The errands' walk enters fences")
  func walk() throws {
    let fences = try Self.errands()
    let trace = try trace("Data/errands-walk.gpx")
    let rows = try rows(of: trace)
    let outcome = try rows.evaluate(0..<rows.time.count, fences: fences, states: [[]])
    #expect(outcome.crossings.count > 3)
    #expect(outcome.rows.allSatisfy { rows.time.indices.contains(Int($0)) })
    #expect(outcome.admissions.count == rows.time.count)
  }

  /// A device that goes north through a fence of 100 m.
  static func crossing() -> Rows {
    var rows = Rows()
    for step in 0..<20 {
      rows.time.append(1_700_000_000_000_000 + Int64(step) * 10_000_000)
      rows.latitude.append(52.5 + Double(step - 10) * 0.0003)
      rows.longitude.append(13.4)
    }
    return rows
  }

  static func circle(id: Int64 = 1, radius: Double = 100) throws -> Handle {
    try fences(
      geoJSON: """
        {"type": "Feature", "id": \(id), "properties": {"name": "Home", "radius": \(radius)},
         "geometry": {"type": "Point", "coordinates": [13.4, 52.5]}}
        """)
  }

  @Test("A position that is none is rejected; what is unknown is NaN")
  func numbers() throws {
    var rows = Self.crossing()
    rows.latitude[3] = .nan
    rows.longitude[4] = .infinity
    rows.latitude[5] = 91
    rows.accuracy = Array(repeating: .nan, count: 20)
    rows.speed = Array(repeating: .infinity, count: 20)
    let outcome = try rows.evaluate(0..<20, fences: Self.circle(), states: [[]], policy: FP_POLICY_EXACT)
    #expect(outcome.admissions[3...5] == [18, 18, 18])
    #expect(outcome.crossings.map(\.kind) == [UInt8(FP_EVENT_ENTER), UInt8(FP_EVENT_LEAVE)])
  }

  @Test("Times at the ends of their range harm nothing", arguments: [FP_POLICY_ROBUST, FP_POLICY_EXACT])
  func extremeTimes(policy: Int) throws {
    var rows = Self.crossing()
    for (row, time) in [Int64.min, .max, .min + 1, 0, .max - 1, -1].enumerated() { rows.time[row * 3] = time }
    let outcome = try rows.evaluate(
      0..<20, fences: Self.circle(), states: [[]], policy: policy, through: .max)
    #expect(outcome.admissions.count == 20)
    let next = try rows.evaluate(0..<20, fences: Self.circle(), states: outcome.states, policy: policy)
    #expect(next.admissions.count == 20)
  }

  @Test("Each device has a state of its own, and new ones have no bytes")
  func devices() throws {
    var rows = Self.crossing()
    rows.device = rows.time.indices.map { UInt32($0 % 3) }
    let outcome = try rows.evaluate(
      0..<20, fences: Self.circle(), states: Array(repeating: [], count: 5), policy: FP_POLICY_EXACT)
    #expect(outcome.states.map(\.isEmpty) == [false, false, false, true, true])
    #expect(Set(outcome.crossings.map(\.device)) == [0, 1, 2])
  }
}
