import FencepostCalendarModel
import FencepostGeodesy
import FencepostPositionFeeds
import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import fencepost

@Suite("Surveys of traces")
struct TracksTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  static let trace = """
    time,latitude,longitude,accuracy,device
    2026-05-01T08:00:00Z,52.5,13.4,5,phone
    2026-05-01T08:00:10Z,52.5,13.4,5,phone
    2026-05-01T08:00:10Z,52.5,13.4,5,phone
    2026-05-01T08:00:05Z,52.5,13.4,5,phone
    2026-05-01T08:00:20Z,52.501,13.4,10,phone
    2026-05-01T08:20:20Z,52.501,13.4,200,phone
    2026-05-01T08:20:20Z,52.501,13.4,,watch
    2026-05-01T08:20:30Z,52.601,13.4,5,phone
    2026-05-01T08:20:40Z,52.501,13.4,5,phone
    2026-05-01T08:20:50Z,95,13.4,5,phone
    nonsense,52.5,13.4,5,phone

    """

  private func survey() throws -> [String: Any] {
    let path = try fixture.directory.write(Self.trace, to: "trace.csv")
    let result = fixture.run("tracks", "--json", path)
    #expect(result.code == .success)
    return try object(try #require(result.lines.first))
  }

  @Test("The JSON of a trace with each kind of problem")
  func json() throws {
    let trace = try survey()
    #expect(trace["type"] as? String == "trace")
    #expect(trace["format"] as? String == "csv")
    #expect(trace["fixes"] as? Int == 9)
    #expect(trace["bytes"] as? Int == Self.trace.utf8.count)
    let rejected = try #require(trace["rejected"] as? [String: [String: Int]])
    #expect(
      rejected == [
        "bad_coordinate": ["count": 1, "first_line": 11], "bad_time": ["count": 1, "first_line": 12],
      ])
    let devices = try #require(trace["devices"] as? [[String: Any]])
    #expect(devices.map { $0["device"] as? String } == ["phone", "watch"])
    let phone = devices[0]
    #expect(phone["fixes"] as? Int == 8)
    #expect(phone["duplicates"] as? Int == 1)
    #expect(phone["out_of_order"] as? Int == 1)
    #expect(phone["first"] as? String == "2026-05-01T10:00:00+02:00")
    #expect(phone["last"] as? String == "2026-05-01T10:20:40+02:00")
    #expect(phone["median_interval"] as? Double == 10)
    #expect(phone["longest_gap"] as? Double == 1200)
    #expect(phone["longest_gap_start"] as? String == "2026-05-01T10:00:20+02:00")
    #expect(phone["gaps"] as? Int == 1)
    #expect(phone["median_accuracy"] as? Double == 5)
    #expect(phone["worst_accuracy"] as? Double == 200)
    #expect(phone["jumps"] as? Int == 1, "there and back again is one stray fix")
    // 111.3 m in ten seconds.
    #expect(abs((phone["top_speed"] as? Double ?? 0) - 11.13) < 0.01)
    #expect(abs((phone["metres"] as? Double ?? 0) - 111.3) < 0.1)
    #expect(devices[1]["median_interval"] is NSNull)
    #expect(devices[1]["worst_accuracy"] is NSNull)
  }

  @Test("In a pipe, each device has a line")
  func rows() throws {
    let path = try fixture.directory.write(Self.trace, to: "trace.csv")
    let lines = fixture.run("tracks", path).lines
    #expect(lines.count == 2)
    #expect(
      lines[0].split(separator: "\t", omittingEmptySubsequences: false).dropFirst().joined(separator: " ")
        == "csv phone 8 1 2026-05-01T10:00:00+02:00 2026-05-01T10:20:40+02:00 1240 10 1200 1 5 200 11.1 111.3 1 1 1 2"
    )
    #expect(lines[1].split(separator: "\t", omittingEmptySubsequences: false).count == 19)
  }

  @Test("An unreadable trace does not affect the others")
  func failures() throws {
    let good = try fixture.directory.write(Self.trace, to: "trace.csv")
    let bad = try fixture.directory.write("%PDF-1.4 nothing", to: "bad.gpx")
    let result = fixture.run("tracks", bad, good, fixture.directory.path("none.gpx"))
    #expect(result.code == .failure)
    #expect(result.lines.count == 2)
    #expect(result.diagnostics.split(separator: "\n").count == 3)
    #expect(
      result.diagnostics.contains(
        "trace.csv: 2 records could not be read: 1 bad coordinate, the first in line 11; 1 bad time, the first in line 12\n"
      ))
    #expect(result.diagnostics.contains("none.gpx: cannot be opened"))
  }

  @Test(
    "A trace without readable positions is an error with the reasons",
    arguments: [
      (
        "time,latitude,longitude\n2026-05-01T08:00:00Z,95,13.4\n",
        "no position could be read: 1 bad coordinate, the first in line 2"
      ),
      ("time,latitude,longitude\n", "has no positions"),
      ("{\"class\":\"VERSION\",\"release\":\"3.22\"}\n", "has no positions"),
      (
        "$GPRMC,080000,V,,,,,,,010526,,*39\n",
        "no position could be read: 1 no fix, the first in line 1"
      ),
    ])
  func nothing(text: String, reason: String) throws {
    let path = try fixture.directory.write(text, to: "trace")
    for form in [[], ["--json"]] {
      let result = fixture.run(["tracks"] + form + [path])
      #expect(result.code == .failure)
      #expect(result.lines.count == 1, "the rest is printed")
      #expect(result.diagnostics == "fencepost: \(path): \(reason)\n")
    }
  }
}

@Suite("Rejected records are listed with their lines")
struct TraceRejectionTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try fixture.directory.write(Data(bytes), to: name)
  }

  @Test("For Garmin FIT, messages are counted instead of lines")
  func messages() throws {
    var bytes = try FuzzCorpus.bytes("run.fit", of: "Traces")
    bytes[bytes.count - 1] ^= 0xFF
    let result = fixture.run(columns: 100, "tracks", try write(bytes, to: "run.fit"))
    #expect(result.output.contains("could not be read: 1 bad checksum, the first in message "))
  }

  @Test("A problem without a line has no line number")
  func noLine() throws {
    let bytes = try FuzzCorpus.bytes("track.gpx.gz", of: "Traces")
    let path = try write(bytes.dropLast(4), to: "track.gpx.gz")
    let result = fixture.run("tracks", "--json", path)
    let rejected = try object(try #require(result.lines.first))["rejected"] as? [String: [String: Any]]
    #expect(rejected?["truncated"]?["count"] as? Int == 1)
    #expect(rejected?["truncated"]?["first_line"] is NSNull)
    let text = fixture.run(columns: 100, "tracks", path)
    #expect(text.output.contains("could not be read: 1 truncated\n"))
  }

  @Test("Each unreadable member of an archive is reported")
  func members() throws {
    let bytes = try FuzzCorpus.bytes("traces.zip", of: "Traces")
    func indices(of kind: [UInt8]) -> [Int] {
      bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 4].elementsEqual([0x50, 0x4B] + kind) }
    }
    let members = indices(of: [3, 4])
    let end = try #require(indices(of: [1, 2]).first)
    // The second member claims to be encrypted, and occurs twice.
    var secret = Array(bytes[members[1]..<end])
    secret[6] |= 1
    let result = fixture.run(
      "tracks", try write(bytes[..<members[1]] + secret + secret + bytes[end...], to: "traces.zip"))
    #expect(
      result.diagnostics.split(separator: "\n").filter { $0.hasSuffix("is encrypted; unpack it first") }.count
        == 2)
  }
}

@Suite("Progress")
struct ProgressTests {
  static func report(bytes: Int64, of total: Int64?, fixes: Int) throws -> TraceReport {
    var report = try TraceReader(
      bytes: Array("time,latitude,longitude\n2026-05-01T08:00:00Z,1,2\n".utf8), name: "t.csv",
      devices: DeviceRegistry()
    ).report
    report.bytesRead = bytes
    report.totalBytes = total
    report.fixes = fixes
    return report
  }

  @Test("The progress of files shows the remaining time")
  func files() throws {
    let reports = [
      try Self.report(bytes: 20_000_000, of: 60_000_000, fixes: 150_000),
      try Self.report(bytes: 0, of: 20_000_000, fixes: 0),
    ]
    #expect(
      Progress.line(reports, seconds: 2) == "20.0 of 80.0 MB (25 %), 150,000 fixes, 75,000/s, 6 s left")
  }

  @Test("The progress of a pipe shows the amount so far")
  func pipes() throws {
    let reports = [try Self.report(bytes: 1_234_567, of: nil, fixes: 12_345)]
    #expect(Progress.line(reports, seconds: 3) == "1.2 MB, 12,345 fixes, 4,120/s")
  }

  @Test(
    "Sizes",
    arguments: [
      (0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (999_999, "999.9 kB"), (80_100_000, "80.1 MB"),
      (Int64.max, "9223372036.8 GB"),
    ] as [(Int64, String)])
  func sizes(bytes: Int64, text: String) { #expect(Progress.size(bytes) == text) }

  @Test("Other output removes the progress line first")
  func line() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let console = Console(environment: [:], output: .memory, diagnostics: .descriptor(ends[1]), now: { 0 })
    console.showProgress(nil)
    console.showProgress("1 %")
    console.showProgress(String(repeating: "x", count: 300))
    console.say("done")
    console.say("really")
    close(ends[1])
    let shown = String(decoding: FileHandle(fileDescriptor: ends[0]).readDataToEndOfFile(), as: UTF8.self)
    let long = String(repeating: "x", count: 99)
    #expect(shown == "\r\u{1B}[K1 %\r\u{1B}[K\(long)\r\u{1B}[Kdone\nreally\n")
  }
}
