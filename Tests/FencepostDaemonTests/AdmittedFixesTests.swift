import CalendarModel
import Geodesy
import Testing

@testable import FencepostDaemon

@Suite("Devices that are heard of over a network")
struct AdmittedFixesTests {
  private let names = DeviceRegistry()
  private let devices = DeviceRegistry()

  private func fixes(_ devices: String...) -> [Fix] {
    devices.enumerated().map { index, name in
      Fix(
        device: names.number(of: name), time: Instant(seconds: Int64(index)),
        coordinate: Coordinate(latitude: 1, longitude: 2))
    }
  }

  @Test("As many as there may be are admitted, in their order, and those that are known always")
  func limit() {
    _ = devices.number(of: "known")
    _ = names.number(of: "nobody")
    let some = AdmittedFixes(fixes("a", "b", "a", "known", "c"), namedBy: names, in: devices, limit: 2)
    #expect(some.fixes.map { devices.name(of: $0.device) } == ["a", "a", "known"])
    #expect(some.fixes.map(\.time) == [Instant(seconds: 0), Instant(seconds: 2), Instant(seconds: 3)])
    #expect(some.surplus == 2 && some.misnamed == 0)
    #expect(devices.names == ["known", "a"])
  }

  @Test("A name that nobody can read is none")
  func misnamed() {
    let long = String(repeating: "ä", count: 128)
    let some = AdmittedFixes(fixes("a", "b\u{7F}", long, "a"), namedBy: names, in: devices)
    #expect(some.fixes.count == 2 && some.misnamed == 2 && some.surplus == 0)
    #expect(devices.names == ["a"])
  }

  @Test("That there are too many is said once")
  func said() throws {
    let harness = try FeedHarness(.standardInput)
    for number in 0..<AdmittedFixes.mostDevices { _ = harness.devices.number(of: "\(number)") }
    for _ in 0..<3 {
      #expect(harness.desk.admit(fixes("new", "7"), namedBy: names).fixes.count == 1)
    }
    #expect(harness.board.status.rejected == 3)
    #expect(harness.log.count == 1)
  }
}
