import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import Foundation
import Glibc
import Synchronization

/// Many devices, fixes and reminders for a long time: the costs, and the latency from a fix to its alarm.
///
/// A fix has the time at which it should be sent, so the latency includes all delays of a daemon that stalls.
struct Soak {
  var program: String
  var devices = 10_000
  var fixesPerSecond = 1_000
  var reminders = 100_000
  var minutes = 10.0
  var policy = "robust"

  func run(in folder: URL) throws {
    var random = SplitMix(state: 1)
    let path = folder.appendingPathComponent("soak.sqlite").path
    let pipe = folder.appendingPathComponent("fixes").path
    guard mkfifo(pipe, 0o600) == 0 else { throw POSIXError(.EIO) }
    let store = try CalendarStore(path: path)
    let start = wallClock() + 20
    try City.fill(store, reminders: reminders, times: start..<(start + minutes * 60), &random)
    print(
      "\(reminders) reminders, \(devices) devices, \(fixesPerSecond) fixes a second, \(minutes) minutes, policy \(policy)"
    )

    let daemon = try DaemonProcess(program, store: path, ["--feed", pipe, "--policy", policy])
    defer { daemon.stop() }
    let channel = ChannelReader(daemon.output)
    let ledger = LedgerReader(store)
    try send(to: pipe, daemon: daemon, &random) { part, usage in
      let time = String(format: "%3.0f%%", part * 100)
      print("\(time)  CPU \(String(format: "%.1f", usage.cpu)) s, memory \(megabytes(usage.memory))")
    }
    Thread.sleep(forTimeInterval: 3)
    print("fix to ledger:  \(ledger.stop().summary)")
    print("fix to channel: \(channel.fixes.summary)")
    print("due to channel: \(channel.times.summary)")
  }

  private func send(
    to path: String, daemon: DaemonProcess, _ random: inout SplitMix,
    _ report: (Double, DaemonProcess.Usage) -> Void
  ) throws {
    let descriptor = open(path, O_WRONLY)
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
    defer { close(descriptor) }
    var walkers = City.walkers(devices, &random)
    write("time,latitude,longitude,accuracy,device\n", to: descriptor)
    let ticksPerSecond = 100
    let fixesPerTick = max(1, fixesPerSecond / ticksPerSecond)
    let ticks = Int(minutes * 60) * ticksPerSecond
    let between = Double(devices) / Double(fixesPerTick * ticksPerSecond)
    let start = wallClock() + 1
    let before = daemon.usage
    var next = 0
    for tick in 0..<ticks {
      let time = start + Double(tick) / Double(ticksPerSecond)
      let wait = time - wallClock()
      if wait > 0 { usleep(UInt32(wait * 1e6)) }
      var lines = ""
      for _ in 0..<fixesPerTick {
        walkers[next].walk(between)
        let place = walkers[next].coordinate
        lines += String(
          format: "%.6f,%.7f,%.7f,8,device-%d\n", time, place.latitude, place.longitude, next)
        next = (next + 1) % devices
      }
      write(lines, to: descriptor)
      if tick % max(1, ticks / 10) == 0 { report(Double(tick) / Double(ticks), daemon.usage) }
    }
    let after = daemon.usage
    report(1, after)
    let share = (after.cpu - before.cpu) / (wallClock() - start) * 100
    print("CPU: \(String(format: "%.1f", share)) % of one core")
  }

  private func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      sent += count
    }
  }
}

/// Reads the daemon's output, and measures the latency of each line.
private final class ChannelReader: Sendable {
  private let read = Mutex((fixes: Latencies(), times: Latencies()))

  var fixes: Latencies { read.withLock { $0.fixes } }
  var times: Latencies { read.withLock { $0.times } }

  init(_ output: FileHandle) {
    let descriptor = output.fileDescriptor
    Thread { [self] in
      var rest: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return }
        let now = wallClock()
        rest += buffer[..<count]
        while let end = rest.firstIndex(of: 0x0A) {
          take(String(decoding: rest[..<end], as: UTF8.self), at: now)
          rest.removeSubrange(...end)
        }
      }
    }.start()
  }

  private func take(_ line: String, at now: Double) {
    guard let key = line.range(of: "\"confirmed_at\":\"") else { return }
    let text = line[key.upperBound...].prefix { $0 != "\"" }
    guard let time = Instant(rfc3339: String(text)) else { return }
    let latency = now - Double(time.microseconds) / 1e6
    let isPlace = line.contains("\"kind\":\"enter\"") || line.contains("\"kind\":\"leave\"")
    read.withLock { isPlace ? $0.fixes.add(latency) : $0.times.add(latency) }
  }
}

/// Reads the ledger repeatedly, and measures the latency of new entries.
private final class LedgerReader: Sendable {
  private let latencies = Mutex(Latencies())
  private let isStopped = Mutex(false)

  init(_ store: CalendarStore) {
    let now = Instant(microseconds: Int64(wallClock() * 1e6))
    Thread { [self] in
      var seen: Set<Int64> = []
      var from = now
      while !isStopped.withLock({ $0 }) {
        usleep(2_000)
        // Entries may come late in the order of the ledger, so look a bit further back.
        guard let entries = try? store.read({ try $0.firings(from: from.adding(seconds: -0.5)) }) else {
          continue
        }
        let time = wallClock()
        for entry in entries where seen.insert(entry.number).inserted {
          from = max(from, entry.firing.wentOffAt)
          guard entry.firing.crossing != nil else { continue }
          latencies.withLock { $0.add(time - Double(entry.firing.wentOffAt.microseconds) / 1e6) }
        }
      }
    }.start()
  }

  func stop() -> Latencies {
    isStopped.withLock { $0 = true }
    return latencies.withLock { $0 }
  }
}
