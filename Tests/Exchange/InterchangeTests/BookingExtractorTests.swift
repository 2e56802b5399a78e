import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostReservations
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostInterchange

@Suite("The program that reads PDFs")
struct BookingExtractorTests {
  private let directory: TemporaryDirectory
  private let reader = ReservationReader()

  init() throws { directory = try TemporaryDirectory() }

  private static let answer = #"""
    [{"@context":"http://schema.org","@type":"TaxiReservation","reservationNumber":"P1",
    "pickupTime":{"@type":"QDateTime","@value":"2031-02-02T06:30:00+01:00","timezone":"Europe/Berlin"},
    "pickupLocation":{"@type":"Place","name":"Hauptbahnhof"}}]
    """#

  /// A program that runs a script.
  private func extractor(_ script: String) throws -> BookingExtractor {
    let folder = directory.path("bin")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try directory.write("#!/bin/sh\n\(script)\n", to: "bin/kitinerary-extractor")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: "\(folder)/kitinerary-extractor")
    return try #require(BookingExtractor.installed(path: "relative:/none:\(folder)", libraries: "/none"))
  }

  private func scan(
    _ bytes: [UInt8], _ extractor: BookingExtractor?
  ) throws -> (references: [String], skipped: [String]) {
    let store = try CalendarStore()
    let file = directory.path("document")
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    let scan = try SuggestionScan(
      store, resolver: TimeResolver(), at: .epoch, extractor: extractor)
    var skipped: [String] = []
    try scan.run(file, skipped: { skipped.append($0) }, progress: { _, _ in }) { _ in }
    return (try store.read { try $0.suggestions() }.map(\.reference), skipped)
  }

  private static let pdf = Array("%PDF-1.7\n…".utf8)
  private static let mail = Array(
    """
    From: a@b.example
    Content-Type: multipart/mixed; boundary=x

    --x
    Content-Type: text/plain

    Your ticket
    --x
    Content-Type: application/octet-stream; name="Ticket.PDF"
    Content-Transfer-Encoding: base64

    JVBERi0xLjcK
    --x--
    """.utf8)

  @Test("A PDF and a mail with a PDF are given to it whole", arguments: [pdf, mail])
  func documents(bytes: [UInt8]) throws {
    let extractor = try extractor("cat > '\(directory.path("input"))'; cat <<'END'\n\(Self.answer)\nEND")
    #expect(try scan(bytes, extractor).references == ["P1"])
    let input = try Data(contentsOf: URL(fileURLWithPath: directory.path("input")))
    #expect(Array(input) == bytes)
  }

  @Test("Without the program a PDF is named with what to install; a page never starts it")
  func without() throws {
    let (references, skipped) = try scan(Self.pdf, nil)
    #expect(references.isEmpty)
    #expect(skipped.count == 1 && skipped.first?.contains("libkpimitinerary-bin") == true)
    let extractor = try extractor("touch '\(directory.path("started"))'")
    #expect(try scan(Array("<html>Hello</html>".utf8), extractor).skipped.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: directory.path("started")))
  }

  @Test("A mail without markup is given to it if it was chosen, or if it is new and sounds like a booking")
  func plainMails() throws {
    let extractor = try extractor("cat > /dev/null; cat <<'END'\n\(Self.answer)\nEND")
    func mail(_ subject: String, year: Int = 1970) -> String {
      "From: a@b.example\nDate: 1 Jan \(year) 00:00:00 +0000\nSubject: \(subject)\n\nSee you\n"
    }
    #expect(try scan(Array(mail("Hello").utf8), extractor).references == ["P1"])
    for (subject, year, found) in [
      ("Hello", 2026, 0), ("=?utf-8?Q?Ihre_Buchungsbest=C3=A4tigung?=", 2026, 1), ("Your booking", 2024, 0),
    ] {
      try FileManager.default.createDirectory(
        atPath: directory.path("folder"), withIntermediateDirectories: true)
      try directory.write(mail(subject, year: year), to: "folder/1.eml")
      let store = try CalendarStore()
      // 2 January 2026.
      let now = Instant(seconds: 1_767_312_000)
      try SuggestionScan(store, resolver: TimeResolver(), at: now, extractor: extractor).run(
        directory.path("folder"), skipped: { Issue.record("\($0)") }, progress: { _, _ in }
      ) { _ in }
      #expect(try store.read { try $0.suggestions() }.count == found, "\(subject)")
    }
  }

  @Test(
    "A program that fails, or says nonsense or too much, gives nothing",
    arguments: [
      "exit 1", "cat > /dev/null; echo nonsense", "cat > /dev/null; kill -9 $$",
      "cat > /dev/null; yes '[]' | head -c 8000000", "cat > /dev/null; echo '[{'; exit 3",
    ])
  func failing(script: String) throws {
    #expect(try scan(Self.pdf, extractor(script)).references.isEmpty)
  }

  @Test("The memory of the program is bounded, and its environment has nothing of ours")
  func limits() throws {
    let extractor = try extractor("cat > /dev/null; (ulimit -v; env) > '\(directory.path("limits"))'")
    _ = try scan(Self.pdf, extractor)
    let lines = try String(contentsOfFile: directory.path("limits"), encoding: .utf8).split(separator: "\n")
    #expect(lines.first == "2097152")
    #expect(lines.contains("QT_QPA_PLATFORM=offscreen"))
    #expect(!lines.contains { $0.hasPrefix("HOME=") })
  }

  @Test("The program is found by its name in PATH, and in the folders where systems have it")
  func finding() throws {
    #expect(BookingExtractor.installed(path: nil, libraries: "/none") == nil)
    _ = try extractor("true")
    let folder = directory.path("lib/x86_64-linux-gnu/libexec/kf5")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: directory.path("bin/kitinerary-extractor"), toPath: "\(folder)/kitinerary-extractor")
    #expect(BookingExtractor.installed(path: "/none", libraries: directory.path("lib")) != nil)
  }
}
