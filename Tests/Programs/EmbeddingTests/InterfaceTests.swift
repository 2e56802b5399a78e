import CFencepostEmbedding
import FencepostGeofencing
import FencepostRecurrence
import FencepostSpatiotemporal
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostEmbedding

@Suite("The C interface")
struct InterfaceTests {
  @Test("The header declares what is implemented, and nothing else")
  func header() throws {
    let header = try Repository.text("Sources/Libraries/CEmbedding/fencepost.h")
    let declared = header.matches(of: /\b(fp_\w+)\(/).map { String($0.output.1) }
    let folder = Repository.root.appendingPathComponent("Sources/Programs/Embedding")
    let implemented = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
      .flatMap { file in
        let source = try Repository.text("Sources/Programs/Embedding/\(file)")
        return source.matches(of: /@c @implementation\npublic func (fp_\w+)\(/).map { String($0.output.1) }
      }
    #expect(Set(declared) == Set(implemented))
    #expect(declared.count == implemented.count)
    #expect(fp_abi_version() == 0)
  }

  @Test("Fences of an iCalendar file are its alarms at places")
  func iCalendar() throws {
    let errands = try EvaluationTests.errands()
    defer { withExtendedLifetime(errands) {} }
    let count = fp_fences_count(errands.pointer)
    #expect(count > 2)
    var ids: Set<Int64> = []
    for index in 0..<count {
      var fence = fp_fence()
      #expect(fp_fences_get(errands.pointer, index, &fence) == Int32(FP_OK))
      #expect(ids.insert(fence.id).inserted && fence.id > 0)
      #expect(!String(cString: fence.name).isEmpty && !String(cString: fence.key).isEmpty)
      #expect(fence.event != UInt8(FP_EVENT_ANY))
    }
    var none = fp_fence()
    #expect(fp_fences_get(errands.pointer, count, &none) == Int32(FP_ERROR_LENGTH))
    #expect(throws: Problem(code: FP_ERROR_FORMAT)) { try fences(iCalendar: "no calendar") }
  }

  @Test("Fences of GeoJSON have their ids, names and flags")
  func geoJSON() throws {
    let handle = try fences(
      geoJSON: """
        {"type": "FeatureCollection", "features": [
          {"type": "Feature", "id": 7, "properties": {"name": "Home", "passing": true, "revision": 3},
           "geometry": {"type": "Point", "coordinates": [13.4, 52.5]}},
          {"type": "Feature", "id": "park", "properties": {"title": "Park", "presence": true},
           "geometry": {"type": "Polygon", "coordinates": [[[13, 52], [13.1, 52], [13.1, 52.1], [13, 52]]]}},
          {"type": "Feature", "properties": null, "geometry": {"type": "LineString", "coordinates": []}}]}
        """)
    defer { withExtendedLifetime(handle) {} }
    #expect(fp_fences_count(handle.pointer) == 2)
    var fence = fp_fence()
    _ = fp_fences_get(handle.pointer, 0, &fence)
    #expect(fence.id == 7 && fence.revision == 3 && Int(fence.flags) == FP_SEES_PASSING)
    #expect(String(cString: fence.name) == "Home" && String(cString: fence.key) == "7")
    _ = fp_fences_get(handle.pointer, 1, &fence)
    #expect(String(cString: fence.key) == "park" && Int(fence.flags) == FP_REPORTS_PRESENCE)
    // FNV-1a of "park", without its lowest bit: states name fences by it, so it must never change.
    #expect(fence.id == 133_003_553_460_654_764)
  }

  @Test("Circles come as columns")
  func circles() throws {
    func make(_ radius: Double) throws -> Handle {
      let id: [Int64] = [5], latitude = [52.5], longitude = [13.4], radius = [radius]
      return try id.withUnsafeBufferPointer { id in
        try latitude.withUnsafeBufferPointer { latitude in
          try longitude.withUnsafeBufferPointer { longitude in
            try radius.withUnsafeBufferPointer { radius in
              var circles = fp_circles()
              circles.count = 1
              circles.id = id.baseAddress
              circles.latitude = latitude.baseAddress
              circles.longitude = longitude.baseAddress
              circles.radius = radius.baseAddress
              return try handle(freedBy: fp_fences_free) { fp_fences_from_circles(&circles, $0, $1) }
            }
          }
        }
      }
    }
    let outcome = try EvaluationTests.crossing().evaluate(
      0..<20, fences: make(100), states: [[]], policy: FP_POLICY_EXACT)
    #expect(outcome.crossings.map(\.fence) == [5, 5])
    for radius in [Double.nan, -1, .infinity] {
      #expect(throws: Problem(code: FP_ERROR_VALUE, row: 0)) { try make(radius) }
    }
  }

  @Test("States of stores and of older versions become states of this version")
  func migration() throws {
    let outcome = try EvaluationTests.crossing().evaluate(
      0..<8, fences: EvaluationTests.circle(), states: [[]])
    let current = outcome.states[0]
    func migrated(_ bytes: [UInt8], capacity: Int = 4_096) throws -> [UInt8] {
      var out = [UInt8](repeating: 0, count: capacity)
      var size = 0
      var error = fp_error()
      let code = fp_state_migrate(bytes, bytes.count, &out, capacity, &size, &error)
      guard code == Int32(FP_OK) else {
        #expect(code != Int32(FP_ERROR_SPACE) || size > capacity)
        throw Problem(code, error)
      }
      return Array(out.prefix(size))
    }
    #expect(try migrated(current) == current)
    #expect(try migrated([]) == [])
    // As the program's store keeps it.
    #expect(try migrated(Array(current[5..<(current.count - 4)])) == current)
    // The first version: revision 7, no fix, no speed, no gap, no caution, none held, no doubts.
    let first: [UInt8] = [1, 7] + Array(repeating: 0, count: 7 + 1 + 8 + 8 + 1 + 1 + 4)
    #expect(try migrated(first) == [], "nothing is known of it")
    // The same with a fix at 0 µs, 52.5° N and 13.4° E.
    let place = [52.5, 13.4].flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> ($0 * 8)) }
    }
    let rest: [UInt8] = Array(repeating: 0, count: 8 + 8 + 1 + 1 + 4)
    let located = [1, 7] + Array(repeating: 0, count: 7) + [1] + Array(repeating: 0, count: 8) + place + rest
    let new = try migrated(located)
    #expect(new.count > 40 && fp_state_check(new, new.count, nil) == Int32(FP_OK))
    #expect(throws: Problem(code: FP_ERROR_SPACE)) { try migrated(current, capacity: 10) }
    #expect(throws: Problem(code: FP_ERROR_STATE)) { try migrated([99, 1, 2]) }
  }

  @Test("A rule's occurrences are local times of its zone")
  func occurrences() throws {
    func starts(_ rule: String, _ start: String, _ zone: String?, capacity: Int = 3) throws -> [String] {
      var out = [Int64](repeating: 0, count: capacity)
      var count = 0
      var error = fp_error()
      let code = fp_occurrences(rule, start, zone, .min, .max, &out, capacity, &count, &error)
      guard code == Int32(FP_OK) else { throw Problem(code, error) }
      return out.prefix(count).map { Instant(microseconds: $0).rfc3339() }
    }
    #expect(
      try starts("FREQ=WEEKLY;BYDAY=SU", "20261018T090000", "Europe/Berlin") == [
        "2026-10-18T07:00:00Z", "2026-10-25T08:00:00Z", "2026-11-01T08:00:00Z",
      ])
    #expect(
      try starts("FREQ=DAILY;COUNT=2", "20261126T090000Z", nil) == [
        "2026-11-26T09:00:00Z", "2026-11-27T09:00:00Z",
      ])
    #expect(
      try starts("FREQ=YEARLY", "20240229", nil, capacity: 2) == [
        "2024-02-29T00:00:00Z", "2028-02-29T00:00:00Z",
      ])
    for (rule, start, zone) in [
      ("FREQ=SOMETIMES", "20261126", nil), ("FREQ=DAILY", "today", nil),
      ("FREQ=DAILY", "20261126", "Mars/Olympus"),
    ] as [(String, String, String?)] {
      #expect(throws: Problem(code: FP_ERROR_FORMAT)) { try starts(rule, start, zone) }
    }
  }

  @Test("A trace comes as columns, sorted, with its devices' names")
  func traces() throws {
    let text = Array(
      """
      device,time,lat,lon,accuracy
      ann,2026-11-26T09:00:10Z,52.5,13.4,8
      bob,2026-11-26T09:00:00Z,52.6,13.4,
      ann,2026-11-26T09:00:00Z,52.4,13.4,9
      ann,never,52.4,13.4,9
      """.utf8)
    let trace = try handle(freedBy: fp_trace_free) { fp_trace_read(text, text.count, "a.csv", $0, $1) }
    defer { withExtendedLifetime(trace) {} }
    let rows = try rows(of: trace)
    #expect(rows.latitude == [52.6, 52.4, 52.5] && rows.device == [1, 0, 0])
    #expect(rows.accuracy[0].isNaN && rows.accuracy[1...] == [9, 8])
    #expect(fp_trace_device_count(trace.pointer) == 2 && fp_trace_rejected(trace.pointer) == 1)
    #expect(String(cString: try #require(fp_trace_device_name(trace.pointer, 1))) == "bob")
    #expect(String(cString: try #require(fp_trace_format(trace.pointer))) == "csv")
    #expect(fp_trace_device_name(trace.pointer, 2) == nil && fp_trace_problem(trace.pointer) == nil)
    let nothing = Array("no trace".utf8)
    #expect(throws: Problem(code: FP_ERROR_FORMAT)) {
      try handle(freedBy: fp_trace_free) { fp_trace_read(nothing, nothing.count, "a", $0, $1) }
    }
  }
}
