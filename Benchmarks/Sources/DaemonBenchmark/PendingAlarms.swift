import FencepostCalendarModel
import FencepostCalendarStore
import Foundation
import Glibc

/// Very many scheduled alarms, none of them soon: how long a daemon takes to be ready, and what it costs at
/// rest.
struct PendingAlarms {
  var program: String
  var alarms = 1_000_000
  var seconds = 60.0

  func run(in folder: URL) throws {
    let path = folder.appendingPathComponent("pending.sqlite").path
    try fill(path)
    print("\(alarms) alarms")
    for name in ["first start, which arms them", "start"] {
      let began = wallClock()
      let daemon = try DaemonProcess(program, store: path)
      defer { daemon.stop() }
      // The daemon answers when it is ready.
      while !isAnswering(path), daemon.isRunning { usleep(1_000) }
      let ready = wallClock()
      Thread.sleep(forTimeInterval: 2)
      let before = daemon.usage
      Thread.sleep(forTimeInterval: seconds)
      let after = daemon.usage
      print("\(name): \(String(format: "%.2f", ready - began)) s, memory \(megabytes(after.memory))")
      print(
        "  \(Int(seconds)) s at rest: CPU \(String(format: "%.2f", after.cpu - before.cpu)) s, "
          + "\(after.sleeps - before.sleeps) wake-ups")
    }
  }

  private func fill(_ path: String) throws {
    let store = try CalendarStore(path: path)
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    let start = wallClock() + 86_400
    for first in stride(from: 0, to: alarms, by: 10_000) {
      let items = (first..<min(first + 10_000, alarms)).map { number in
        var item = CalendarItem(calendar: list.id, title: "Reminder \(number)", details: .reminder(.init()))
        let time = Int64((start + Double(number) * 60) * 1e6)
        item.alarms = [Alarm(trigger: .absolute(Instant(microseconds: time)))]
        return item
      }
      try store.write { try $0.saveAll(items) }
    }
  }

  /// Whether a daemon listens at the socket and answers.
  private func isAnswering(_ store: String) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: Array((store + ".socket").utf8).prefix($0.count))
    }
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    var byte: UInt8 = 0
    return isConnected && send(descriptor, "status\n", 7, Int32(MSG_NOSIGNAL)) == 7
      && read(descriptor, &byte, 1) == 1
  }
}
