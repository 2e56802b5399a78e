import FencepostCalendarModel
import FencepostPositionFeeds
import FencepostSystem
import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import FencepostLiveFeeds

/// A generated log of a receiver: a walk of two minutes, with one sentence of each kind per second.
private enum ReceiverLog {
  static let seconds = 120

  static let text = (0..<seconds).map { second in
    let clock = "08" + two(second / 60) + two(second % 60) + ".00"
    let minutes = "30.\(String(10_000 + second * 10).suffix(4))"
    return sentence("GPRMC,\(clock),A,52\(minutes),N,01324.0000,E,3.6,0.0,010526,,,A")
      + sentence("GPGGA,\(clock),52\(minutes),N,01324.0000,E,1,09,0.9,34.0,M,39.0,M,,")
      + sentence("GPGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.6,0.9,1.3")
  }.joined()

  private static func two(_ number: Int) -> String { String(String(100 + number).suffix(2)) }

  private static func sentence(_ body: String) -> String {
    let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n"
  }
}

@Suite("Receivers")
struct ReceiverTests {
  @Test(
    "A receiver on a serial line is read at the given rate",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/pts/ptmx"), "/dev/pts is not mounted"))
  func serial() throws {
    let (terminal, path) = try Self.pseudoTerminal()
    defer { close(terminal) }
    let address = try FeedAddress("nmea://\(path)?baud=4800")
    let harness = try FeedHarness(address)
    let devices = harness.devices
    harness.run { try Self.open(address, devices) }
    // Like a receiver, which always sends. The feed ends with the device.
    #expect(
      eventually {
        let bytes = Array(ReceiverLog.text.utf8)
        var setting = termios()
        _ = bytes.withUnsafeBytes { write(terminal, $0.baseAddress, min($0.count, 4_000)) }
        return harness.fixes.count >= 10 && tcgetattr(terminal, &setting) == 0
          && cfgetospeed(&setting) == speed_t(B4800) && setting.c_lflag & tcflag_t(ECHO | ICANON) == 0
      })
    #expect(harness.fixes.first == "receiver 1777622400 52.5,13.4")
    #expect(harness.status.current.state == .open)
  }

  @Test("Another file instead of a serial line is an error")
  func noLine() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("", to: "file")
    let failure = #expect(throws: SystemFailure.self) { try SerialLine.open(file, baud: 9_600) }
    #expect(failure?.description.contains("not a serial line") == true)
  }

  @Test(
    "gpsd delivers the positions of a receiver that gpsfake simulates",
    .enabled(if: Counterpart.isInstalled("gpsd", "gpsfake"), "gpsd and gpsfake are not installed"))
  func gpsd() throws {
    let directory = try TemporaryDirectory()
    let log = try directory.write(ReceiverLog.text, to: "walk.nmea")
    let port = try Counterpart.freePort()
    let fake = try Counterpart("gpsfake", ["-1", "-q", "-c", "0.01", "-P", "\(port)", log])
    let address = try FeedAddress("gpsd://127.0.0.1:\(port)")
    let harness = try FeedHarness(address)
    let devices = harness.devices
    // Retry until gpsd listens. The end of gpsd is the end of the feed.
    harness.run(attempts: 1_000) { try Self.open(address, devices) }
    #expect(eventually { harness.fixes.count >= 10 })
    let first = harness.fixes.first?.split(separator: " ") ?? []
    #expect(first.count == 3 && first[0] == "gpsd" && first[2].hasPrefix("52.5"))
    #expect(first.count == 3 && (1_777_622_400..<1_777_622_520).contains(Int(first[1]) ?? 0))
    // When gpsd ends, the feed ends and is reopened.
    fake.stop()
    #expect(eventually { harness.hasEnded })
  }

  /// One end of a pseudo-terminal, and the path of the other (pts(4)).
  private static func pseudoTerminal() throws -> (descriptor: Int32, path: String) {
    let descriptor = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var unlocked: Int32 = 0
    var number: UInt32 = 0
    // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
    guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &unlocked) == 0,
      ioctl(descriptor, 0x8004_5430, &number) == 0
    else { throw Counterpart.Failure(description: "there is no pseudo-terminal") }
    return (descriptor, "/dev/pts/\(number)")
  }

  private static func open(_ address: FeedAddress, _ devices: DeviceRegistry) throws -> any LiveFeed {
    try FeedRunner.open(address, identity: "test", devices: devices, interruptedBy: -1)
  }
}
