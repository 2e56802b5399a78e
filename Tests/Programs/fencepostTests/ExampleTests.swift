import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

/// Runs the commands of documents, with a store and files for them.
final class ExampleBench {
  private let fixture: CommandFixture

  /// Commands that don't end, need the network or a daemon, or change the system. They are parsed but not
  /// run.
  private static let notRun: Set<String> = [
    "accounts", "sync", "daemon", "setup", "subscribe", "config", "install", "pause", "resume", "reload",
    "try",
    "web", "ingest", "worker", "fleet", "guard",
    // It needs an existing backup.
    "restore",
  ]

  /// Created once, and copied for each bench.
  private static let template = Result { try prepared() }

  /// A store with the errands, a choir, and an office where a phone has been; and files with the names in
  /// examples.
  ///
  /// - Parameter isNew: True for a user without a store.
  init(isNew: Bool = false) throws {
    fixture = try CommandFixture()
    if isNew { return }
    let template = try Self.template.get()
    for name in try FileManager.default.contentsOfDirectory(atPath: template.url.path) {
      try FileManager.default.copyItem(atPath: template.path(name), toPath: fixture.directory.path(name))
    }
  }

  private static func prepared() throws -> TemporaryDirectory {
    let fixture = try CommandFixture()
    let walk = try Data(contentsOf: URL(fileURLWithPath: CommandFixture.data("errands-walk.gpx")))
    for name in ["walk.gpx", "monday.gpx"] { _ = try fixture.directory.write(walk, to: name) }
    _ = try fixture.directory.write(
      #"{"type":"Polygon","coordinates":[[[10.30,52.48],[10.32,52.49],[10.30,52.50],[10.30,52.48]]]}"#,
      to: "park.geojson")
    _ = try fixture.directory.write(
      "<gpx><wpt lat=\"52.4\" lon=\"13.1\"><name>Lake</name></wpt></gpx>", to: "favourites.gpx")
    let choir = try fixture.directory.write(
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x", "BEGIN:VEVENT",
        "UID:C401C401-0000-4000-8000-000000000000", "SUMMARY:Choir",
        "CONFERENCE;VALUE=URI:https://meet.example.org/choir", "URL:https://choir.example.org/",
        "DTSTART;TZID=Europe/Berlin:20260416T190000", "DTEND;TZID=Europe/Berlin:20260416T210000",
        "RRULE:FREQ=WEEKLY", "END:VEVENT", "END:VCALENDAR", "",
      ].joined(separator: "\r\n"), to: "choir.ics")
    let holidays = try fixture.directory.write(
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x", "BEGIN:VEVENT", "UID:labour-day",
        "SUMMARY:Labour Day", "DTSTART:20260501", "END:VEVENT", "END:VCALENDAR", "",
      ].joined(separator: "\r\n"), to: "holidays.ics")
    for words in [
      ["import", CommandFixture.data("errands.ics"), "--list", "Errands"], ["import", choir],
      ["places", "add", "Office", "52.3990,13.0640"], ["subscribe", holidays, "--list", "Holidays"],
      ["replay", "--record", CommandFixture.data("errands-walk.gpx")],
      ["clients", "add", "Old phone"],
      ["backup", fixture.directory.path("calendar-backup.sqlite")],
    ] {
      let result = fixture.run(words)
      try #require(result.code == .success, "\(result.diagnostics)")
    }
    try FileManager.default.createDirectory(
      atPath: fixture.directory.path("Maildir/cur"), withIntermediateDirectories: true)
    try fixture.openStore().write { writer in
      for (id, state) in [("5A3C", Suggestion.State.proposed), ("7B1D", .rejected)] {
        var suggestion = Suggestion(
          id: Identifier(rawValue: "\(id)0000-0000-4000-8000-000000000000"), kind: "taxi", title: "Taxi",
          content: #"{"@type":"TaxiReservation","pickupTime":"2026-05-02T08:00","pickupLocation":"Station"}"#,
          found: Instant(microseconds: fixture.now))
        suggestion.state = state
        try writer.save(suggestion)
      }
      try writer.save(invitation(at: fixture.now))
      var reply = Reply(
        id: Identifier(rawValue: "9E8F0000-0000-4000-8000-000000000000"), sender: "me@home.example",
        recipient: "olga@team.example", subject: "Accepted: Review", body: "", calendar: "",
        created: Instant(microseconds: fixture.now))
      reply.state = .failed
      try writer.add(reply)
    }
    return fixture.directory
  }

  private static func invitation(at now: Int64) -> Suggestion {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", "BEGIN:VEVENT", "UID:review",
      "DTSTAMP:20260401T000000Z",
      "SUMMARY:Review", "DTSTART:20260502T080000Z", "DURATION:PT1H", "ORGANIZER:mailto:olga@team.example",
      "ATTENDEE:mailto:me@home.example", "END:VEVENT", "END:VCALENDAR", "",
    ]
    var suggestion = Suggestion(
      id: Identifier(rawValue: "1A2B0000-0000-4000-8000-000000000000"), kind: "event", title: "Review",
      content: lines.joined(separator: "\r\n"), found: Instant(microseconds: now))
    suggestion.reference = "review"
    suggestion.key = "review"
    return suggestion
  }

  /// Runs all calls of the program in a line, if possible here.
  func run(_ line: String) throws {
    let calls = Example(line, "").calls(of: "fencepost")
    #expect(!calls.isEmpty, "\(line)")
    for words in calls {
      let parsed = try FencepostTable.table.parse(words)
      // There is no desktop for a test alarm here.
      if parsed.path.suffix(2) == ["alarms", "test"] { continue }
      // No app has asked here.
      if parsed.path.suffix(2) == ["access", "grant"] { continue }
      // It finds that no daemon runs here.
      if parsed.path.last == "doctor" { continue }
      // The project has no map of a town.
      if words.contains(where: { $0.hasSuffix(".osm.pbf") }) { continue }
      // Commands that read standard input would read that of the tests.
      if Self.notRun.contains(parsed.path.dropFirst().first ?? "") || words.contains("-") { continue }
      let result = fixture.run(words.flatMap(files))
      #expect(result.code == .success, "\(line): \(result.diagnostics)")
    }
  }

  /// A word with the path of its file; several for a `*`.
  private func files(_ word: String) -> [String] {
    if word.hasPrefix("~/") { return [fixture.directory.path(String(word.dropFirst(2)))] }
    guard let dot = word.lastIndex(of: "."), !word.contains(" "), !word.contains(":"),
      ["gpx", "csv", "ics", "html", "svg", "geojson", "otrw", "vcf", "eml"].contains(word[dot...].dropFirst())
    else { return [word] }
    guard word.hasPrefix("Data/") else { return [fixture.directory.path(word)] }
    let name = String(word.dropFirst("Data/".count))
    guard name.hasPrefix("*") else { return [CommandFixture.data(name)] }
    let all = (try? FileManager.default.contentsOfDirectory(atPath: CommandFixture.data(""))) ?? []
    return all.filter { $0.hasSuffix(name.dropFirst()) }.sorted().map { CommandFixture.data($0) }
  }
}

@Suite("Examples of help and manual")
struct ExampleTests {
  private static let lines = FencepostTable.table.root.subtree.flatMap(\.command.examples).map(\.line)

  @Test("each example works", arguments: lines)
  func examples(line: String) throws { try ExampleBench().run(line) }

  @Test("each command has an example")
  func complete() {
    for node in FencepostTable.table.root.visibleSubtree where node.name != "help" {
      #expect(!node.command.examples.isEmpty || node.command.needsSubcommand, "\(node.name)")
    }
  }
}
