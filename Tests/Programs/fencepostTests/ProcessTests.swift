import FencepostTestSupport
import Foundation
import Glibc
import Testing

/// What only a separate process can have: closed streams, sockets as streams, and arguments that are not
/// text.
@Suite("The program as a process")
struct ProcessTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Runs a shell command, with the program as `$0`.
  private func shell(
    _ line: String, words: [String] = [], input: FileHandle = .nullDevice
  ) throws -> (code: Int32, output: String, diagnostics: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line, DaemonProcess.program.path] + words
    process.currentDirectoryURL = directory.url
    let inherited = ProcessInfo.processInfo.environment.filter { $0.key == "LD_LIBRARY_PATH" }
    process.environment = [
      "FENCEPOST_STORE": directory.path("calendar.sqlite"), "FENCEPOST_ZONE": "Europe/Berlin",
      "HOME": directory.url.path, "PATH": "/usr/bin:/bin",
    ].merging(inherited) { $1 }
    process.standardInput = input
    let (output, diagnostics) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = diagnostics
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    let complained = diagnostics.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: bytes, as: UTF8.self),
      String(decoding: complained, as: UTF8.self)
    )
  }

  @Test(
    "With closed standard streams, output is dropped and not written to a file",
    arguments: [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
  func closedStreams(closing: String) throws {
    let data = [CommandFixture.data("errands.ics"), CommandFixture.data("errands-walk.gpx")]
    let result = try shell(
      "\"$0\" replay --svg picture.svg --reminders \"$1\" \"$2\" \(closing)", words: data)
    #expect(result.code == 0 && result.output == "")
    let picture = try String(contentsOfFile: directory.path("picture.svg"), encoding: .utf8)
    #expect(picture.hasPrefix("<") && picture.hasSuffix("</svg>\n"))
  }

  @Test("Standard input can be a socket", arguments: ["import -", "occurrences - --count 1"])
  func socket(command: String) throws {
    var ends: [Int32] = [0, 0]
    try #require(
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let file =
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nSUMMARY:A\r\nDTSTART:20260601\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    _ = file.withCString { write(ends[1], $0, strlen($0)) }
    close(ends[1])
    let result = try shell(
      "\"$0\" \(command)", input: FileHandle(fileDescriptor: ends[0], closeOnDealloc: true))
    #expect(result.code == 0, "\(result.diagnostics)")
    #expect(result.output.contains(command.hasPrefix("import") ? "1 added" : "2026-06-01"))
  }

  @Test("On a live pipe, each line has the item's title of that moment", arguments: [[], ["--json"]])
  func titleOfTheMoment(options: [String]) throws {
    let added = try shell("\"$0\" add Bread --arrive 52.5,13.4")
    let id = try #require(added.output.split(separator: "\n").first.map(String.init), "\(added)")
    let process = Process()
    process.executableURL = DaemonProcess.program
    process.arguments = ["replay", "--policy", "exact"] + options + ["-"]
    process.environment = ["FENCEPOST_STORE": directory.path("calendar.sqlite"), "HOME": directory.url.path]
      .merging(ProcessInfo.processInfo.environment.filter { $0.key == "LD_LIBRARY_PATH" }) { $1 }
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }
    try input.fileHandleForWriting.write(contentsOf: Data("time,latitude,longitude\n".utf8))
    for (hour, title) in [(10, "Bread"), (11, "Cake"), (12, "Pie")] {
      if hour > 10 { #expect(try shell("\"$0\" edit \(id) --title \(title)").code == 0) }
      let positions = "2026-05-01T\(hour):00:00Z,52.6,13.4\n2026-05-01T\(hour):30:00Z,52.5,13.4\n"
      try input.fileHandleForWriting.write(contentsOf: Data(positions.utf8))
      var line = Data()
      while !line.contains(UInt8(ascii: "\n")) {
        let more = output.fileHandleForReading.availableData
        try #require(!more.isEmpty, "the program ended early")
        line += more
      }
      #expect(String(decoding: line, as: UTF8.self).contains(title))
    }
  }

  @Test("An import that is killed leaves the store unchanged", arguments: [0.4, 0.7, 1])
  func killedImport(part: Double) throws {
    func file(_ count: Int, _ title: String) -> Data {
      let items = (0..<count).map { number in
        "BEGIN:VTODO\r\nUID:\(number)\r\nSUMMARY:\(title) \(number)\r\nSEQUENCE:\(title.count)\r\nEND:VTODO\r\n"
      }
      return Data(("BEGIN:VCALENDAR\r\nX-WR-CALNAME:Made\r\n" + items.joined() + "END:VCALENDAR\r\n").utf8)
    }
    try file(30, "A").write(to: directory.url.appendingPathComponent("small.ics"))
    #expect(try shell("\"$0\" import small.ics").code == 0)
    let before = try shell("\"$0\" list --json").output
    let all = file(4_000, "Other")
    let process = Process()
    process.executableURL = DaemonProcess.program
    process.arguments = ["import", "-"]
    process.environment = ["FENCEPOST_STORE": directory.path("calendar.sqlite"), "HOME": directory.url.path]
      .merging(ProcessInfo.processInfo.environment.filter { $0.key == "LD_LIBRARY_PATH" }) { $1 }
    let input = Pipe()
    process.standardInput = input
    try process.run()
    // The pipe holds 64 KB, so the rest was read, and much of it is in the store.
    try input.fileHandleForWriting.write(contentsOf: all.prefix(Int(Double(all.count) * part)))
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(try shell("\"$0\" list --json").output == before)
    try all.write(to: directory.url.appendingPathComponent("all.ics"))
    let again = try shell("\"$0\" import all.ics")
    #expect(again.output.contains("3970 added, 30 updated"), "\(again)")
    #expect(try shell("\"$0\" undo").code == 0)
    #expect(try shell("\"$0\" list --json").output == before)
  }

  @Test("Messages name standard input")
  func inputName() throws {
    let result = try shell("echo nonsense | \"$0\" import -")
    #expect(result.code == 1 && result.diagnostics.contains("standard input"), "\(result.diagnostics)")
  }

  @Test(
    "An argument that is not UTF-8 is an error", arguments: ["import", "export -o"])
  func noText(command: String) throws {
    let result = try shell("\"$0\" \(command) \"$(printf 'caf\\351.ics')\"")
    #expect(result.code == 2 && result.diagnostics.contains("caf"), "\(result.diagnostics)")
    #expect(result.diagnostics.contains("is not valid UTF-8"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == [])
  }
}
