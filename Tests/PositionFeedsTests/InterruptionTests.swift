import CalendarModel
import Glibc
import TestSupport
import Testing

@testable import PositionFeeds

@Suite("Ending a read that waits")
struct InterruptionTests {
  /// A pipe, closed when the value goes.
  final class Pipe {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(Glibc.pipe(&ends) == 0)
      (readEnd, writeEnd) = (ends[0], ends[1])
    }

    func write(_ text: String) { _ = text.withCString { Glibc.write(writeEnd, $0, strlen($0)) } }

    deinit {
      close(readEnd)
      close(writeEnd)
    }
  }

  @Test("A pipe that says nothing more is given up, with what it said before kept")
  func silence() throws {
    let (input, interrupter) = (try Pipe(), try Pipe())
    input.write("time,latitude,longitude\n2026-05-01T08:00:00Z,52.5,13.4\n")
    let reader = try TraceReader(
      path: "/dev/fd/\(input.readEnd)", devices: DeviceRegistry(), interruptedBy: interrupter.readEnd)
    var fixes: [Fix] = []
    #expect(try reader.read(into: &fixes, limit: 10))
    #expect(fixes.count == 1)
    interrupter.write("x")
    let error = #expect(throws: FeedError.self) { try reader.read(into: &fixes, limit: 10) }
    #expect(error?.problem == .interrupted)
    #expect(reader.report.fixes == 1)
  }

  @Test("A named pipe that nobody writes to is given up")
  func unwritten() throws {
    let interrupter = try Pipe()
    interrupter.write("x")
    let directory = try TemporaryDirectory()
    let path = directory.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let error = #expect(throws: FeedError.self) {
      try TraceReader(path: path, devices: DeviceRegistry(), interruptedBy: interrupter.readEnd)
    }
    #expect(error?.problem == .interrupted)
  }

  @Test("A file is read to its end all the same: nobody waits for it")
  func file() throws {
    let interrupter = try Pipe()
    interrupter.write("x")
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      "time,latitude,longitude\n2026-05-01T08:00:00Z,52.5,13.4\n", to: "trace.csv")
    let reader = try TraceReader(path: path, devices: DeviceRegistry(), interruptedBy: interrupter.readEnd)
    var fixes: [Fix] = []
    #expect(try reader.read(into: &fixes, limit: 10))
    #expect(try !reader.read(into: &fixes, limit: 10))
  }
}
