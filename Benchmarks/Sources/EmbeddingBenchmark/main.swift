// What a call through libfencepost's C interface costs beside the same call in Swift, on one core, in one
// run:
//
//     swift run -c release EmbeddingBenchmark [FENCES]      by default 1000
//
// A million positions of 1,000 devices, already as columns. One batch of all, and batches of some
// positions of each device, between which the C interface writes and reads all states.

import CFencepostEmbedding
import CFenceGrid
import FenceWorkload
import FencepostEmbedding
import FencepostGeodesy
import FencepostGeofencing
import FencepostSpatiotemporal
import Glibc

func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func seconds(_ body: () -> Void) -> Double {
  let start = cpuSeconds()
  body()
  return cpuSeconds() - start
}

let devices = 1_000
let places = circles(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000, .city)
let fixes = positions(devices: devices, steps: 1_000, seconds: 5)
let device = fixes.map(\.device)
let time = fixes.map(\.microseconds)
let latitude = fixes.map(\.latitude)
let longitude = fixes.map(\.longitude)
let accuracy = fixes.map { Double($0.accuracy) }
let index = FenceIndex(
  places.enumerated().map { number, circle in
    Fence(
      id: FenceID(rawValue: Int64(number)),
      region: .circle(
        center: Coordinate(latitude: circle.latitude, longitude: circle.longitude), radius: circle.radius),
      revision: 1)
  })

/// In Swift, from the same columns.
func evaluateInSwift() -> Int {
  let evaluator = FenceEvaluator(policy: .robust, index: index)
  var states = [DeviceState](repeating: DeviceState(), count: devices)
  var transitions: [Transition] = []
  for row in device.indices {
    let fix = Fix(
      device: DeviceNumber(rawValue: device[row]), time: Instant(microseconds: time[row]),
      coordinate: Coordinate(latitude: latitude[row], longitude: longitude[row]),
      horizontalAccuracy: accuracy[row])
    evaluator.evaluate(fix, state: &states[Int(device[row])], into: &transitions)
  }
  return transitions.count
}

let ids = places.indices.map { Int64($0) }
var handle: OpaquePointer?
ids.withUnsafeBufferPointer { ids in
  places.map(\.latitude).withUnsafeBufferPointer { latitude in
    places.map(\.longitude).withUnsafeBufferPointer { longitude in
      places.map(\.radius).withUnsafeBufferPointer { radius in
        var circles = fp_circles()
        circles.count = ids.count
        circles.id = ids.baseAddress
        circles.latitude = latitude.baseAddress
        circles.longitude = longitude.baseAddress
        circles.radius = radius.baseAddress
        precondition(fp_fences_from_circles(&circles, &handle, nil) == 0)
      }
    }
  }
}

/// Through the C interface, in batches of `size` rows.
func evaluateInC(_ fences: OpaquePointer?, size: Int) -> Int {
  var count = 0
  var before: OpaquePointer?
  device.withUnsafeBufferPointer { device in
    time.withUnsafeBufferPointer { time in
      latitude.withUnsafeBufferPointer { latitude in
        longitude.withUnsafeBufferPointer { longitude in
          accuracy.withUnsafeBufferPointer { accuracy in
            for start in stride(from: 0, to: device.count, by: size) {
              var columns = fp_fixes()
              columns.count = min(size, device.count - start)
              columns.device = device.baseAddress.map { $0 + start }
              columns.time = time.baseAddress.map { $0 + start }
              columns.latitude = latitude.baseAddress.map { $0 + start }
              columns.longitude = longitude.baseAddress.map { $0 + start }
              columns.accuracy = accuracy.baseAddress.map { $0 + start }
              var new = fp_states()
              new.count = devices
              let states = fp_result_states(before)?.pointee ?? new
              var result: OpaquePointer?
              let code = withUnsafePointer(to: states) {
                fp_evaluate(fences, nil, $0, &columns, &result, nil)
              }
              precondition(code == 0)
              count += fp_result_transitions(result)?.pointee.count ?? 0
              fp_result_free(before)
              before = result
            }
          }
        }
      }
    }
  }
  fp_result_free(before)
  return count
}

let sizes = [device.count, 100_000, 10_000, 1_000]
var best = (swift: Double.infinity, c: sizes.map { _ in Double.infinity })
var counts: Set<Int> = []
// Alternate, because the machine's speed changes over seconds.
for _ in 0..<5 {
  best.swift = min(best.swift, seconds { counts.insert(evaluateInSwift()) })
  for (place, size) in sizes.enumerated() {
    best.c[place] = min(best.c[place], seconds { counts.insert(evaluateInC(handle, size: size)) })
  }
}
precondition(counts.count == 1, "the transitions differ: \(counts)")
print("\(device.count) positions, \(places.count) fences, \(counts.first ?? 0) transitions")
print("CPU ms, best of 5")
print("Swift, one array of states: \(Int(best.swift * 1e3))")
for (place, size) in sizes.enumerated() {
  let percent = Int((best.c[place] / best.swift * 100).rounded())
  print("C, batches of \(size): \(Int(best.c[place] * 1e3)) (\(percent) %)")
}
fp_fences_free(handle)
