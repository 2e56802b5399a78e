import Foundation
import Glibc

/// A daemon to measure, and its resource usage (proc(5)).
final class DaemonProcess {
  /// Its output: one alarm per line.
  let output: FileHandle
  private let process = Process()

  /// Its resource usage so far.
  struct Usage {
    /// Seconds of CPU.
    var cpu: Double
    /// Bytes in memory.
    var memory: Int
    /// The number of voluntary sleeps of its threads: each wake-up ends such a sleep.
    var sleeps: Int
  }

  /// Starts `fencepost daemon` over a store, with standard output as its channel.
  init(_ program: String, store: String, _ arguments: [String] = []) throws {
    let pipe = Pipe()
    output = pipe.fileHandleForReading
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["daemon", "--store", store, "--deliver", "-", "--log-level", "warning"] + arguments
    process.standardOutput = pipe
    try process.run()
  }

  var isRunning: Bool { process.isRunning }

  /// Terminates it, and waits for its end.
  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Its resource usage so far.
  var usage: Usage {
    let folder = "/proc/\(process.processIdentifier)"
    let stat = (try? String(contentsOfFile: folder + "/stat", encoding: .utf8)) ?? ""
    // After the name, which may contain anything: state is the first word, utime and stime are the 12th and
    // 13th.
    let words = stat.split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = words.count > 12 ? (Double(words[11]) ?? 0) + (Double(words[12]) ?? 0) : 0
    var sleeps = 0
    for task in (try? FileManager.default.contentsOfDirectory(atPath: folder + "/task")) ?? [] {
      sleeps += number("voluntary_ctxt_switches", in: "\(folder)/task/\(task)/status")
    }
    return Usage(
      cpu: ticks / Double(sysconf(Int32(_SC_CLK_TCK))),
      memory: number("VmRSS", in: folder + "/status") * 1_024, sleeps: sleeps)
  }

  private func number(_ name: String, in path: String) -> Int {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.split(whereSeparator: { $0 == ":" || $0.isWhitespace }).dropFirst().first.flatMap { Int($0) }
      ?? 0
  }
}

/// Durations and their percentiles.
struct Latencies {
  private var seconds: [Double] = []

  var count: Int { seconds.count }

  mutating func add(_ latency: Double) { seconds.append(latency) }

  /// The median, the 99th percentile and the maximum, in milliseconds.
  var summary: String {
    guard !seconds.isEmpty else { return "none" }
    let seconds = seconds.sorted()
    func at(_ part: Double) -> String {
      String(format: "%.1f", seconds[Int(Double(seconds.count - 1) * part)] * 1_000)
    }
    return
      "median \(at(0.5)) ms, 99th percentile \(at(0.99)) ms, greatest \(at(1)) ms (\(seconds.count) alarms)"
  }
}

/// Seconds since 1970 on the wall clock.
func wallClock() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func megabytes(_ bytes: Int) -> String { String(format: "%.1f MB", Double(bytes) / 1_048_576) }
