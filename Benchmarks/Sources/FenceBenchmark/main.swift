// How many positions a second one core holds against many fences, keeping for each device which it is in: a plain grid in
// C, then the two policies, in one run over the same positions in memory.
//
//     swift run -c release FenceBenchmark [FENCES…]      fences in thousands: 1 100 1000 unless told

import CFenceGrid
import CalendarModel
import Geodesy
import Geofencing
import Glibc

func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The CPU seconds that `body` takes.
func seconds(_ body: () -> Void) -> Double {
  let start = cpuSeconds()
  body()
  return cpuSeconds() - start
}

/// The least of three times.
func leastTime(_ body: () -> Void) -> Double { (0..<3).map { _ in seconds(body) }.min() ?? .infinity }

/// `number` in `width` places, right-aligned.
func column(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

func millions(_ number: Double) -> String {
  let hundredths = Int((number / 10_000).rounded())
  return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}

func evaluate(_ positions: [GridPosition], devices: Int, _ policy: Policy, _ index: FenceIndex) -> Int {
  let evaluator = FenceEvaluator(policy: policy, index: index)
  var states = [DeviceState](repeating: DeviceState(), count: devices)
  var transitions: [Transition] = []
  var count = 0
  for position in positions {
    let fix = Fix(
      device: DeviceNumber(rawValue: position.device), time: Instant(microseconds: position.microseconds),
      coordinate: Coordinate(latitude: position.latitude, longitude: position.longitude),
      horizontalAccuracy: Double(position.accuracy))
    evaluator.evaluate(fix, state: &states[Int(position.device)], into: &transitions)
    if !transitions.isEmpty {
      count += transitions.count
      transitions.removeAll(keepingCapacity: true)
    }
  }
  return count
}

func compare(_ positions: [GridPosition], devices: Int, _ spread: Spread, _ count: Int) {
  let places = circles(count, spread)
  let fences = places.enumerated().map { number, circle in
    Fence(
      id: FenceID(rawValue: Int64(number)),
      region: .circle(
        center: Coordinate(latitude: circle.latitude, longitude: circle.longitude), radius: circle.radius))
  }
  let before = Int(bytes_in_use())
  let start = cpuSeconds()
  let index = FenceIndex(fences)
  let build = cpuSeconds() - start
  let bytes = (Int(bytes_in_use()) - before) / count

  var changes = (grid: 0 as UInt64, exact: 0, robust: 0)
  var grid = Double.infinity
  for _ in 0..<3 {
    let built = fence_grid_create(places, places.count, devices)
    grid = min(grid, seconds { changes.grid = fence_grid_run(built, positions, positions.count) })
    fence_grid_free(built)
  }
  let exact = leastTime { changes.exact = evaluate(positions, devices: devices, .exact, index) }
  let robust = leastTime { changes.robust = evaluate(positions, devices: devices, .robust, index) }
  let total = Double(positions.count)
  let cells = [
    "\(devices)", spread.rawValue, "\(count)", millions(total / grid), millions(total / exact),
    millions(total / robust), millions(grid / exact * 1e6), millions(grid / robust * 1e6),
    "\(Int(build * 1_000))", "\(bytes)", "\(changes.grid)", "\(changes.exact)", "\(changes.robust)",
  ]
  print(cells.map { column($0, 9) }.joined())
}

let asked = CommandLine.arguments.dropFirst().compactMap { Int($0) }.filter { $0 > 0 && $0 <= 10_000 }
print(
  "millions of positions a second, one core; ratios to the grid; a device's state: \(MemoryLayout<DeviceState>.size) bytes"
)
let titles = [
  "devices", "fences", "", "C grid", "exact", "robust", "exact/C", "robust/C", "build ms", "B/fence",
  "changes",
  "exact", "robust",
]
print(titles.map { column($0, 9) }.joined())
for (devices, interval) in [(1_000, 5.0), (1, 1.0)] {
  let positions = positions(devices: devices, steps: 1_000_000 / devices, seconds: interval)
  for spread in Spread.allCases {
    for thousands in asked.isEmpty ? [1, 100, 1_000] : asked {
      compare(positions, devices: devices, spread, thousands * 1_000)
    }
  }
}
