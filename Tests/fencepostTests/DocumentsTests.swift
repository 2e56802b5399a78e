import CommandLineTable
import Foundation
import TestSupport
import Testing

@testable import fencepost

@Suite("What the documents show is what the program does")
struct DocumentsTests {
  /// A file at the top of the repository.
  private static func text(_ name: String) throws -> String {
    let top = URL(fileURLWithPath: CommandFixture.data("")).deletingLastPathComponent()
    return try String(contentsOf: top.appendingPathComponent(name), encoding: .utf8)
  }

  @Test("The README's walk")
  func walk() throws {
    let readme = try Self.text("README.md")
    let result = try CommandFixture().run(
      "replay", "--reminders", CommandFixture.data("errands.ics"), CommandFixture.data("errands-walk.gpx"))
    #expect(result.lines.count == 13)
    for line in result.lines {
      // Time, what, title, place, list, and for alarms at places when it was sure.
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let clock = cells[0].dropFirst(11).prefix(8)
      let place = cells[3].isEmpty ? "" : "\(cells[3]): "
      let sure = cells.count > 5 ? ", \(cells[5])" : ""
      let shown =
        "  \(clock)  \(cells[1].padding(toLength: 8, withPad: " ", startingAt: 0)) \(place)\(cells[2])"
      #expect(readme.contains("\(shown)  \(cells[4])\(sure)\n"))
    }
    #expect(readme.contains(result.diagnostics))
  }

  @Test("The README's picture")
  func picture() throws {
    let fixture = try CommandFixture()
    let path = fixture.directory.path("demo.svg")
    let result = fixture.run(
      "replay", "--reminders", CommandFixture.data("errands.ics"), "--svg", path,
      CommandFixture.data("errands-walk.gpx"))
    #expect(result.code == .success)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.text("docs/demo.svg"))
  }

  @Test("The commands that the README shows do what they say, one after the other")
  func commands() throws {
    let lines = try Self.text("README.md").split(separator: "\n").filter { $0.hasPrefix("    fencepost ") }
    #expect(lines.count > 25)
    let bench = try ExampleBench()
    for line in lines {
      let command = line.split(separator: "  #")[0].trimmingCharacters(in: .whitespaces)
      try bench.run(command)
    }
  }
}
