import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

/// A zone that only a file defines: five hours east of Greenwich.
@Suite("Zones that files define")
struct FileZoneTests {
  private static func file(_ event: String...) -> String {
    ([
      "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTIMEZONE", "TZID:Custom", "BEGIN:STANDARD",
      "DTSTART:19700101T000000", "TZOFFSETFROM:+0500", "TZOFFSETTO:+0500", "END:STANDARD", "END:VTIMEZONE",
      "BEGIN:VEVENT", "UID:far", "SUMMARY:Far",
    ] + event + ["END:VEVENT", "END:VCALENDAR"]).joined(separator: "\r\n") + "\r\n"
  }

  private func imported(_ event: String...) throws -> CommandFixture {
    let fixture = try CommandFixture()
    let lines = [event.joined(separator: "\r\n")]
    let path = try fixture.directory.write(Self.file(lines[0]), to: "far.ics")
    #expect(fixture.run("import", path).code == .success)
    return fixture
  }

  @Test("a later command knows the zones")
  func laterCommands() throws {
    let fixture = try imported(
      "DTSTART;TZID=Custom:20261201T090000", "DTEND;TZID=Custom:20261201T100000", "BEGIN:VALARM",
      "ACTION:DISPLAY", "TRIGGER:-PT15M", "END:VALARM")
    #expect(fixture.run("list", "--events").output.contains("2026-12-01T05:00:00+01:00"))
    let agenda = fixture.run("agenda", "--from", "2026-12-01").output
    #expect(agenda.contains("2026-12-01T05:00:00+01:00\t2026-12-01T06:00:00+01:00"))
    #expect(fixture.run("alarms", "next").output.contains("2026-12-01T04:45:00+01:00"))
    let show = fixture.run("show", "far").output
    #expect(show.contains("start\t2026-12-01T05:00:00+01:00"))
  }

  @Test("an exception in UTC excludes an occurrence in such a zone")
  func exception() throws {
    let fixture = try imported(
      "DTSTART;TZID=Custom:20261201T090000", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20261202T040000Z")
    let days = fixture.run("agenda", "--from", "2026-12-01").lines.map { $0.prefix(10) }
    #expect(days == ["2026-12-01", "2026-12-03"])
  }

  @Test(
    "an export defines each zone of its times",
    arguments: [
      "DTEND;TZID=Custom:20261201T100000", "RRULE:FREQ=DAILY\r\nEXDATE;TZID=Custom:20261202T130000",
      "RDATE;TZID=Custom:20261203T130000", "RECURRENCE-ID;TZID=Custom:20261201T130000",
    ])
  func export(line: String) throws {
    let fixture = try imported("DTSTART:20261201T040000Z", line)
    let output = fixture.run("export").output
    #expect(output.contains("TZID:Custom\r\n"))
  }

  @Test("an export does not define unused zones")
  func unused() throws {
    let fixture = try imported("DTSTART:20261201T040000Z")
    #expect(!(fixture.run("export").output.contains("VTIMEZONE")))
  }
}
