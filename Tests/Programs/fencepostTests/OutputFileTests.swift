import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import fencepost

@Suite("Files that commands write")
struct OutputFileTests {
  private let fixture: CommandFixture
  private var store: String { fixture.directory.path("calendar.sqlite") }

  init() throws {
    fixture = try CommandFixture()
    fixture.run("add", "Milk")
  }

  /// A copy of example data, with a symbolic link and a hard link to it.
  private func copy(_ name: String) throws -> (path: String, names: [String]) {
    let path = fixture.directory.path(name)
    try FileManager.default.copyItem(atPath: CommandFixture.data(name), toPath: path)
    let (soft, hard) = (path + ".soft", path + ".hard")
    try FileManager.default.createSymbolicLink(atPath: soft, withDestinationPath: path)
    try FileManager.default.linkItem(atPath: path, toPath: hard)
    return (path, [path, soft, hard, "\(fixture.directory.url.path)/./\(name)"])
  }

  @Test("A command never overwrites its own input", arguments: ["--map", "--svg"])
  func inputs(option: String) throws {
    let (trace, traceNames) = try copy("errands-walk.gpx")
    let (reminders, reminderNames) = try copy("errands.ics")
    let settings = try fixture.directory.write("{}", to: "settings.json")
    fixture.variables["FENCEPOST_CONFIG"] = settings
    for output in traceNames + reminderNames + [settings] {
      let before = try Data(contentsOf: URL(fileURLWithPath: output))
      let result = fixture.run(
        "replay", "--reminders", reminders, trace, option, output)
      #expect(result.code == .failure && result.output.isEmpty)
      #expect(result.diagnostics.contains("can't write '\(output)': this command reads it"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == before)
    }
  }

  @Test("No command overwrites a store, its own or another")
  func stores() throws {
    let backup = fixture.directory.path("backup.sqlite")
    #expect(fixture.run("backup", backup).code == .success)
    let trace = CommandFixture.data("errands-walk.gpx")
    for output in [store, backup] {
      for words in [["export", "-o", output], ["replay", trace, "--map", output]] {
        let result = fixture.run(words)
        #expect(result.code == .failure)
        #expect(result.diagnostics.contains("can't write '\(output)': it is a store"), "\(words)")
      }
    }
    #expect(fixture.run("list").output.contains("Milk"))
    #expect(fixture.run("restore", backup, "--yes").code == .success)
  }

  /// Commands that write the file at the end, and what they write.
  private static let writers: [[String]] = [
    ["export", "-o"], ["export", "--format", "jscalendar", "-o"],
    ["replay", CommandFixture.data("errands-walk.gpx"), "--map"],
    ["replay", CommandFixture.data("errands-walk.gpx"), "--svg"],
  ]

  @Test("The output of an earlier run is replaced, and an empty file", arguments: writers)
  func again(words: [String]) throws {
    let path = try fixture.directory.write("", to: "made")
    for _ in 1...2 {
      let result = fixture.run(words + [path])
      #expect(result.code == .success, "\(result.diagnostics)")
    }
  }

  @Test("What this program did not make is replaced only by force", arguments: writers)
  func foreign(words: [String]) throws {
    let other = "BEGIN:VCALENDAR\r\nPRODID:-//Other//EN\r\nEND:VCALENDAR\r\n"
    for text in ["my notes on fencepost\n", other, "<html><title>Fencepost</title>"] {
      let path = try fixture.directory.write(text, to: "mine")
      let refused = fixture.run(words + [path])
      #expect(refused.code == .misuse && refused.output.isEmpty)
      #expect(refused.diagnostics.contains("'\(path)' is there and is not "), "\(refused.diagnostics)")
      #expect(refused.diagnostics.contains("--force"))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
      #expect(fixture.run(words + [path, "--force"]).code == .success)
      #expect(fixture.run(words + [path]).code == .success)
    }
  }

  @Test("One kind does not replace another, and manual pages replace only manual pages")
  func kinds() throws {
    let path = fixture.directory.path("made")
    #expect(fixture.run(Self.writers[2] + [path]).code == .success)
    #expect(fixture.run("export", "-o", path).code == .misuse)
    let folder = fixture.directory.path("pages")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let page = try fixture.directory.write("mine", to: "pages/fencepost-add.1")
    #expect(fixture.run("manual", "--into", folder).code == .misuse)
    #expect(try String(contentsOfFile: page, encoding: .utf8) == "mine")
    for force in [["--force"], []] {
      #expect(fixture.run(["manual", "--into", folder] + force).code == .success)
    }
  }
}
