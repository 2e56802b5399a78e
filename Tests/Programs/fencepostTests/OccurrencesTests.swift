import FencepostTestSupport
import Testing

@testable import fencepost

@Suite("Occurrences of rules and files")
struct OccurrencesTests {
  @Test(
    "A rule is expanded in the given zone",
    arguments: [
      (
        ["--rrule", "FREQ=MONTHLY;BYDAY=-1FR", "--start", "2026-01-30 17:00", "--count", "3"],
        ["2026-01-30T17:00:00+01:00", "2026-02-27T17:00:00+01:00", "2026-03-27T17:00:00+01:00"]
      ),
      (
        ["--rrule", "daily", "--start", "2026-03-28 02:30", "--count", "2"],
        ["2026-03-28T02:30:00+01:00", "2026-03-29T03:30:00+02:00"]
      ),
      (["--rrule", "FREQ=YEARLY", "--start", "2024-02-29", "--count", "2"], ["2024-02-29", "2028-02-29"]),
      (
        ["--rrule", "FREQ=DAILY;COUNT=3", "--start", "2026-05-01T08:00:00Z"],
        ["2026-05-01T08:00:00Z", "2026-05-02T08:00:00Z", "2026-05-03T08:00:00Z"]
      ),
      (
        ["--rrule", "weekly", "--start", "2000-01-01 09:00", "--from", "2126-05-01", "--to", "2126-05-15"],
        ["2126-05-04T09:00:00+02:00", "2126-05-11T09:00:00+02:00"]
      ),
    ])
  func rule(words: [String], starts: [String]) throws {
    let result = try CommandFixture().run(["occurrences"] + words)
    #expect(result.code == .success)
    #expect(result.lines.map { String($0.split(separator: "\t")[0]) } == starts)
  }

  @Test("The occurrences of a file are ordered by start, across all series")
  func file() throws {
    let result = try CommandFixture().run(
      "occurrences", CommandFixture.data("errands.ics"), "--from", "2026-05-05", "--to", "2026-05-06")
    #expect(
      result.lines.map { String($0.split(separator: "\t")[2]) } == [
        "Blood pressure tablet", "Pay the rent", "Stand-up", "Stretch for five minutes", "Yoga", "Eye drops",
      ])
    // The moved lesson replaces that of the rule.
    #expect(result.lines[4].hasPrefix("2026-05-05T19:15:00+02:00\t"))
    // A floating time has no offset.
    #expect(result.lines[3].hasPrefix("2026-05-05T11:00:00\t"))
  }

  @Test("A file is interpreted like in an import")
  func asImported() throws {
    let fixture = try CommandFixture()
    func event(_ lines: String...) -> String {
      (["BEGIN:VEVENT", "UID:s"] + lines + ["END:VEVENT"]).joined(separator: "\n")
    }
    let text =
      ([
        "BEGIN:VCALENDAR", "VERSION:2.0",
        event("SEQUENCE:2", "SUMMARY:New", "DTSTART:20260501T090000Z", "RRULE:FREQ=DAILY;COUNT=3"),
        event("SEQUENCE:1", "SUMMARY:Old", "DTSTART:20260501T080000Z", "RRULE:FREQ=DAILY;COUNT=9"),
        event("RECURRENCE-ID:20260502T090000Z", "SUMMARY:First", "DTSTART:20260502T100000Z"),
        event("RECURRENCE-ID:20260502T090000Z", "SUMMARY:Second", "DTSTART:20260502T110000Z"),
        "END:VCALENDAR",
      ]).joined(separator: "\n")
    let path = try fixture.directory.write(text + "\n", to: "a.ics")
    #expect(
      fixture.run("occurrences", path).lines.map { String($0.split(separator: "\t")[2]) }
        == ["New", "Second", "New"])
  }

  @Test("The occurrences as JSON")
  func json() throws {
    let result = try CommandFixture().run(
      "occurrences", "--rrule", "FREQ=DAILY", "--start", "2026-05-01", "--count", "1", "--json")
    #expect(
      result.output
        == #"{"type":"occurrence","start":"2026-05-01","end":"2026-05-02","all_day":true,"title":"FREQ=DAILY","uid":"rule","recurrence_id":"2026-05-01"}"#
        + "\n")
  }

  @Test("An endless rule stops after a thousand occurrences, with a message")
  func bounded() throws {
    let result = try CommandFixture().run(
      "occurrences", "--rrule", "FREQ=SECONDLY", "--start", "2026-05-01 08:00")
    #expect(result.lines.count == 1000)
    #expect(result.diagnostics == "Stopped after 1,000; use --to or --count for more.\n")
  }
}
