import FencepostSpatiotemporal
import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import FencepostPositionFeeds

@Suite("Interrupting a read that waits")
struct InterruptionTests {
  /// A pipe that closes when the value is released.
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

  @Test("A silent pipe can be interrupted and keeps its earlier fixes")
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

  @Test("A named pipe without a writer can be interrupted")
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

  @Test("A file is read to its end despite an interruption, because it does not wait")
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

  /// Some megabytes that decompress to as many gigabytes of `filler` after a header, without a position.
  private func bomb(_ filler: String) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let script =
      "{ printf 'time,latitude,longitude\\n'; head -c 40M /dev/zero | tr '\\0' '\(filler)'; } | gzip -1 > '\(directory.path("one.gz"))'"
      + "; for i in $(seq 50); do cat '\(directory.path("one.gz"))'; done > '\(directory.path("bomb.csv.gz"))'"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    try process.run()
    process.waitUntilExit()
    return directory
  }

  @Test("A decompression bomb without positions can be interrupted", arguments: ["\\n", "x"])
  func bombs(filler: String) throws {
    let interrupter = try Pipe()
    interrupter.write("x")
    let directory = try bomb(filler)
    let reader = try TraceReader(
      path: directory.path("bomb.csv.gz"), devices: DeviceRegistry(), interruptedBy: interrupter.readEnd)
    var fixes: [Fix] = []
    let error = #expect(throws: FeedError.self) { try reader.read(into: &fixes, limit: 10) }
    #expect(error?.problem == .interrupted)
    #expect(reader.report.bytesRead < 200_000, "hardly anything of it was read")
  }
}
