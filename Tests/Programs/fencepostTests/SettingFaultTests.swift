import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

@Suite("Faults of the settings file")
struct SettingFaultTests {
  private let fixture: CommandFixture
  private let path: String

  init() throws {
    fixture = try CommandFixture()
    path = fixture.directory.path("config.json")
    fixture.run("add", "Milk tomorrow 9am")
    fixture.variables["FENCEPOST_CONFIG"] = path
  }

  private func settings(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }

  private static let wrong = [
    ("{\n  \"history\": 30,,\n}", ":2:"), ("{\n  \"histry\": 30\n}", ":2: 'histry': unknown setting"),
    ("{\n  \"default-alarm\": \"often\"\n}", ":2: 'default-alarm': invalid"),
    ("{\n  \"zone\": \"Mars/Base\"\n}", ":2: 'zone': unknown time zone"),
    ("{\n  \"grace\": [1]\n}", ":2: 'grace': must be a string"),
  ]

  @Test("What reads says them in a line and goes on; what changes something ends", arguments: wrong.indices)
  func reading(row: Int) throws {
    try settings("{}")
    fixture.run("add", "Bread tomorrow 10am")
    fixture.variables["FENCEPOST_ZONE"] = ""
    let (text, says) = Self.wrong[row]
    try settings(text)
    for words in [
      ["list"], ["agenda", "week"], ["show", "Bread"], ["alarms", "next"], ["status"], ["export"],
    ] {
      let result = fixture.run(words)
      #expect(result.code == .success, "\(words): \(result.diagnostics)")
      #expect(result.output.contains("Bread"), "\(words)")
      let lines = result.diagnostics.split(separator: "\n")
      #expect(
        lines.count <= 1 && lines.allSatisfy { $0.hasPrefix("fencepost: \(path)\(says)") },
        "\(words): \(lines)")
    }
    let reading = fixture.run("alarms", "next").diagnostics
    #expect(row == 4 || reading.contains(says), "\(reading)")
    for words in [["add", "Tea"], ["complete", "Bread"]] where row < 2 {
      let result = fixture.run(words)
      #expect(result.code == .misuse && result.diagnostics.contains(path + says), "\(words)")
    }
  }

  @Test("Nothing is read if the file may name another store")
  func otherStore() throws {
    try settings("{\n  \"store\": \"~/mine.sqlite\",,\n}")
    fixture.variables["FENCEPOST_STORE"] = ""
    let result = fixture.run("list")
    #expect(result.code == .misuse && result.diagnostics.contains("\(path):2:"))
    #expect(fixture.run("list", "--store", fixture.directory.path("calendar.sqlite")).code == .success)
    #expect(fixture.run("doctor").output.contains("settings \(path):2:"))
  }

  @Test("doctor lists each with file, line and column, and examines the rest", arguments: wrong.indices)
  func doctor(row: Int) throws {
    let (text, says) = Self.wrong[row]
    fixture.variables["FENCEPOST_ZONE"] = ""
    try settings(text)
    let result = fixture.run("doctor")
    #expect(result.code == .failure && result.diagnostics.isEmpty, "\(result.diagnostics)")
    let place = says.prefix { $0 != " " }
    #expect(result.output.contains("wrong    settings \(path)\(place)"), "\(result.output)")
    for subject in ["daemon:", "alarm:", "backup:", "disk:"] { #expect(result.output.contains(subject)) }
  }
}
