import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostOutputTestSupport
import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

/// Runs commands in this process, with a separate store, clock and streams.
final class CommandFixture {
  let directory: TemporaryDirectory
  /// Friday, 1 May 2026, 14:30 in Berlin.
  var now: Int64 = 1_777_638_600_000_000
  /// More environment variables, besides store, zone and home.
  var variables: [String: String] = [:]

  /// The standard input of the next command, line by line.
  var input: [String] = []
  /// Whether a person answers questions.
  var answers = false

  init() throws { directory = try TemporaryDirectory() }

  struct Result {
    var code: ExitCode
    var output: String
    var diagnostics: String
    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  @discardableResult
  func run(_ words: String...) -> Result { run(words) }

  /// Runs a command for a terminal with this many columns.
  func run(columns: Int, color: Bool = false, _ words: String...) -> Result {
    run(
      words + (color ? ["--color", "always"] : ["--color", "never"]), output: .terminal(columns: columns))
  }

  @discardableResult
  func run(_ words: [String], output: Console.Sink = .memory) -> Result {
    let environment = [
      "FENCEPOST_STORE": directory.path("calendar.sqlite"), "FENCEPOST_ZONE": "Europe/Berlin",
      "HOME": directory.url.path,
    ].merging(variables) { $1 }
    var lines = input[...]
    input = []
    let console = Console(
      environment: environment, output: output, diagnostics: .memory, now: { [now] in now },
      readLine: { lines.popFirst() }, pause: { _ in }, answers: answers)
    let code = Program(console: console).run(words)
    if words.contains("--json") { checkLines(console.outputText, words) }
    return Result(code: code, output: console.outputText, diagnostics: console.diagnosticText)
  }

  /// The values of `type` in lines that commands printed.
  private(set) var types: Set<String> = []

  /// Holds lines of output against their schema; of many the first ones.
  private func checkLines(_ output: String, _ words: [String]) {
    for line in output.split(separator: "\n").prefix(100) where line.hasPrefix("{") {
      do {
        let faults = try SchemaCheck.output.get().faults(ofLine: String(line))
        #expect(faults == [], "\(words.joined(separator: " ")): \(line)")
      } catch {
        Issue.record("\(words.joined(separator: " ")): \(error): \(line)")
      }
      if let type = try? object(String(line))["type"] as? String { types.insert(type) }
    }
  }

  /// Adds an item, and returns its identifier.
  func add(_ words: [String]) throws -> String {
    let result = run(["add"] + words)
    return try #require(result.lines.first, "\(result.diagnostics)")
  }

  /// The output of `show --json` for an item.
  func shown(_ id: String) throws -> [String: Any] {
    try object(try #require(run("show", id, "--json").lines.first))
  }

  /// The store of the commands.
  func openStore() throws -> CalendarStore { try CalendarStore(path: directory.path("calendar.sqlite")) }

  /// A position `minutes` after ``now``.
  func fix(minutes: Int, latitude: Double, altitude: Double? = nil) -> Fix {
    Fix(
      time: Instant(microseconds: now + Int64(minutes) * 60_000_000),
      coordinate: Coordinate(latitude: latitude, longitude: 13.4), horizontalAccuracy: 8, altitude: altitude)
  }

  /// A file of Data/.
  static func data(_ name: String) -> String {
    Repository.root.appendingPathComponent("Data").appendingPathComponent(name).path
  }
}

/// The parsed JSON line.
func object(_ line: String) throws -> [String: Any] {
  try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
}
