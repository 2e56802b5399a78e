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

  @Test("The output of an earlier run is replaced")
  func again() {
    for _ in 1...2 {
      #expect(fixture.run("export", "-o", fixture.directory.path("all.ics")).code == .success)
    }
  }
}
