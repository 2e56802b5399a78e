// Positions per second that one core evaluates against many fences, with the fences of each device as the
// state: first a plain grid in C, then the two policies, in one run over the same positions in memory.
//
//     swift run -c release FenceBenchmark [FENCES…]      fences in thousands; by default 1 100 1000
//     swift run -c release FenceBenchmark POSITIONS.csv FENCES.csv…
//
// Files have a header and rows: device, seconds since 1970, latitude, longitude, accuracy; and number,
// latitude, longitude, radius.

import CFenceGrid
import FencepostCalendarModel
import FencepostGeodesy
import FencepostGeofencing
import FenceWorkload
import Glibc

func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The CPU seconds of `body`.
func seconds(_ body: () -> Void) -> Double {
  let start = cpuSeconds()
  body()
  return cpuSeconds() - start
}

/// `text`, right-aligned in `width` places.
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

func compare(_ positions: [GridPosition], _ places: [GridCircle], called name: String) {
  let devices = Int((positions.map(\.device).max() ?? 0) + 1)
  let count = places.count
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
  // Keep the fences alive until here.
  let bytes = withExtendedLifetime(fences) { (Int(bytes_in_use()) - before) / count }

  var changes = (grid: 0 as UInt64, exact: 0, robust: 0)
  var best = (grid: Double.infinity, exact: Double.infinity, robust: Double.infinity)
  // Alternate, because the machine's speed changes over seconds.
  for _ in 0..<3 {
    let built = fence_grid_create(places, places.count, devices)
    best.grid = min(best.grid, seconds { changes.grid = fence_grid_run(built, positions, positions.count) })
    fence_grid_free(built)
    best.exact = min(
      best.exact, seconds { changes.exact = evaluate(positions, devices: devices, .exact, index) })
    best.robust = min(
      best.robust, seconds { changes.robust = evaluate(positions, devices: devices, .robust, index) })
  }
  let total = Double(positions.count)
  let cells = [
    "\(devices)", name, "\(count)", millions(total / best.grid), millions(total / best.exact),
    millions(total / best.robust), millions(best.grid / best.exact * 1e6),
    millions(best.grid / best.robust * 1e6),
    "\(Int(build * 1_000))", "\(bytes)", "\(changes.grid)", "\(changes.exact)", "\(changes.robust)",
  ]
  print(cells.map { column($0, 14) }.joined())
}

print(
  "millions of positions a second, one core; ratios to the grid; a device's state: \(MemoryLayout<DeviceState>.size) bytes"
)
let titles = [
  "devices", "fences", "", "C grid", "exact", "robust", "exact/C", "robust/C", "build ms", "B/fence",
  "changes",
  "exact", "robust",
]
print(titles.map { column($0, 14) }.joined())
let arguments = CommandLine.arguments.dropFirst()
if let file = arguments.first, Int(file) == nil {
  let positions = positions(from: file)
  for path in arguments.dropFirst() {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    compare(positions, circles(from: path), called: String(name.prefix { $0 != "." }))
  }
} else {
  let asked = arguments.compactMap { Int($0) }.filter { $0 > 0 && $0 <= 10_000 }
  for (devices, interval) in [(1_000, 5.0), (1, 1.0)] {
    let positions = positions(devices: devices, steps: 1_000_000 / devices, seconds: interval)
    for spread in Spread.allCases {
      for thousands in asked.isEmpty ? [1, 100, 1_000] : asked {
        compare(positions, circles(thousands * 1_000, spread), called: spread.rawValue)
      }
    }
  }
}
