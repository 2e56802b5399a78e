import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostSpatiotemporal
import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import fencepost

@Suite("A trial of alarms", .serialized)
struct TryCommandTests {
  let daemon: DaemonProcess

  init() throws { daemon = try DaemonProcess() }

  /// What a store holds, as far as a trial could leave something in it.
  private func contents() throws -> [String] {
    let store = try CalendarStore(path: daemon.store, access: .readOnly)
    return try store.read { reader in
      var lines = try reader.devices().map { "device \($0.name)" }
      lines += try reader.firings().map { "firing \($0.firing.key)" }
      lines += try reader.clients().map { "client \($0.name)" }
      lines += try reader.calendars(for: [.events, .reminders]).map { "list \($0.title)" }
      lines += try reader.pendingDeliveries().map { "delivery \($0.channel)" }
      lines += try reader.setting("trial").map { ["setting \($0)"] } ?? []
      return lines
    }
  }

  @Test("Without a daemon it says how to start one")
  func noDaemon() throws {
    try daemon.configure(#"{"channels": ["CHANNEL"]}"#)
    let result = try daemon.command("try")
    #expect(result.code == 1)
    #expect(result.diagnostics.contains("fencepost daemon --deliver "))
  }

  @Test(
    "The alarm comes over the daemon's own receiver and channel, and nothing remains",
    arguments: [
      (#""feeds": ["http://phone:geheim@127.0.0.1:PORT"]"#, "http://phone:…@127.0.0.1:PORT/"),
      (#""feeds": ["http://127.0.0.1:PORT/here?token=geheim"]"#, "http://127.0.0.1:PORT/here"),
      (#""server": "http://127.0.0.1:PORT""#, "http://127.0.0.1:PORT/positions"),
      (#""feeds": []"#, "the control socket"),
    ])
  func rings(_ settings: String, _ door: String) throws {
    let port = "\(try FreePort.any())"
    try daemon.configure(
      #"{"channels": ["CHANNEL"], "history": 7, "# + settings.replacing("PORT", with: port) + "}")
    _ = try daemon.command("add", "reminder", "Milk")
    try daemon.start()
    let before = try contents()
    let result = try daemon.command("try")
    #expect(result.code == 0, "\(result)")
    #expect(result.output.contains("sends its positions to \(door.replacing("PORT", with: port))"))
    #expect(!result.output.contains("geheim"))
    #expect(result.output.contains("'Fencepost works' rang"))
    #expect(result.output.contains("CHANNEL: delivered"))
    let line = try #require(try daemon.lines(of: "delivered", count: 1).first)
    #expect(
      line.contains(#""trial":true"#) && line.contains(#""kind":"enter""#) && line.contains(#""late":false"#))
    #expect(try contents() == before)
    #expect(try daemon.command("show", "Milk").code == 0)
  }

  @Test("At a place its own reminders ring, and stay unused")
  func place() throws {
    try daemon.configure(#"{"channels": ["CHANNEL"]}"#)
    _ = try daemon.command("places", "add", "Bakery", "52.5,13.4", "--radius", "80")
    _ = try daemon.command("add", "reminder", "Bread", "--arrive", "Bakery", "--times", "once")
    try daemon.start()
    for count in 1...2 {
      let result = try daemon.command("try", "bakery", "--json")
      #expect(result.code == 0, "\(result)")
      #expect(
        try object(try #require(result.output.split(separator: "\n").first.map(String.init)))["rang"] as? Bool
          == true)
      let lines = try daemon.lines(of: "delivered", count: count)
      #expect(lines.count == count && lines.allSatisfy { $0.contains(#""title":"Bread""#) })
    }
    #expect(try contents() == ["list Reminders"])
    #expect(try daemon.command("try", "Butcher").diagnostics.contains("no place named 'Butcher'"))
  }

  @Test("A refusing channel is named, and fails the trial")
  func refused() throws {
    try daemon.configure(#"{"channels": ["exec:/bin/false"]}"#)
    try daemon.start()
    let result = try daemon.command("try")
    #expect(result.code == 1)
    #expect(result.output.contains("exec:/bin/false: failed"))
    #expect(try contents().filter { !$0.hasPrefix("list") } == [])
  }

  @Test(
    "What a killed trial left goes with the next trial and with the daemon's next start",
    arguments: [true, false])
  func killed(_ restarts: Bool) throws {
    try daemon.configure(#"{"channels": ["CHANNEL"]}"#)
    _ = try daemon.command("add", "reminder", "Milk")
    // As a killed one leaves it: the process of the setting is gone.
    let store = try CalendarStore(path: daemon.store)
    let before = try contents()
    try store.write { writer in
      try writer.set("999999999 \(Int64(Date().timeIntervalSince1970 * 1_000_000))", for: "trial")
      let source = try #require(try writer.reader.sources().first)
      try writer.save(
        ItemCalendar(
          id: Identifier(rawValue: "fencepost-trial"), source: source.id, title: "Fencepost trial",
          entities: .reminders))
      try writer.saveLastFix(
        Fix(time: Instant(seconds: 1_795_000_000), coordinate: Coordinate(latitude: 0, longitude: 0)),
        of: "fencepost-trial-x")
    }
    #expect(try contents() != before)
    try daemon.start()
    if restarts {
      #expect(try contents() == before)
    } else {
      #expect(try daemon.command("try").code == 0)
    }
    #expect(try contents() == before)
  }
}

/// A port that nothing uses at the moment.
enum FreePort {
  static func any() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 ? getsockname(descriptor, address, &size) : -1
      }
    }
    try #require(result == 0)
    return UInt16(bigEndian: address.sin_port)
  }
}
