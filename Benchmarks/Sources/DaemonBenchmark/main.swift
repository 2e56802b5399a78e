// Measures the daemon as a separate program:
//
//     swift build -c release --product fencepost
//     swift run -c release --package-path Benchmarks DaemonBenchmark .build/release/fencepost soak [MINUTES] [POLICY]
//     swift run -c release --package-path Benchmarks DaemonBenchmark .build/release/fencepost pending [ALARMS]
//
// `soak`: 10,000 devices, 1,000 fixes a second, 100,000 reminders: CPU, memory, and the latency from a fix to
// its alarm in the ledger and on a channel. `pending`: a million scheduled alarms: start, memory, and the
// cost at rest.
//
// Other programs that run at the same time increase the latencies.

import Foundation

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 2, ["soak", "pending"].contains(words[1]) else {
  print("DaemonBenchmark PROGRAM soak [MINUTES] [robust|exact] | PROGRAM pending [ALARMS]")
  exit(2)
}
let folder = FileManager.default.temporaryDirectory
  .appendingPathComponent("fencepost-benchmark-\(ProcessInfo.processInfo.processIdentifier)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

if words[1] == "soak" {
  var soak = Soak(program: words[0])
  if words.count > 2, let minutes = Double(words[2]) { soak.minutes = minutes }
  if words.count > 3 { soak.policy = words[3] }
  try soak.run(in: folder)
} else {
  var pending = PendingAlarms(program: words[0])
  if words.count > 2, let alarms = Int(words[2]) { pending.alarms = alarms }
  try pending.run(in: folder)
}
