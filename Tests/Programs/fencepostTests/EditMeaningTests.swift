import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

@Suite("The meaning of words for edit, remove and complete")
struct EditMeaningTests {
  private let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  @Test(
    "A typed hour is in the user's zone, whatever zone the item has",
    arguments: [
      ("DTSTART:20260601T090000Z", "12:00", "2026-06-01T12:00:00+02:00"),
      ("DTSTART;TZID=America/New_York:20260601T210000", "12:00", "2026-06-02T12:00:00+02:00"),
      ("DTSTART;TZID=Asia/Tokyo:20260601T040000", "22:15", "2026-05-31T22:15:00+02:00"),
      ("DTSTART:20260601T090000", "12:00", "2026-06-01T12:00:00+02:00"),
    ])
  func foreignZones(line: String, hour: String, expected: String) throws {
    for (component, option, key) in [("VEVENT", "--start", "start"), ("VTODO", "--due", "due")] {
      let line = component == "VEVENT" ? line : line.replacing("DTSTART", with: "DUE")
      let file = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:\(component)", "UID:\(key)", "SUMMARY:Far", line,
        "END:\(component)", "END:VCALENDAR", "",
      ]
      let path = try fixture.directory.write(file.joined(separator: "\r\n"), to: "\(key).ics")
      fixture.run("import", path)
      let result = fixture.run("edit", key, option, hour, "--alarm", hour)
      #expect(result.code == .success, "\(result.diagnostics)")
      let item = try fixture.shown(key)
      #expect(item[key] as? String == expected)
      let alarm = try #require((item["alarms"] as? [[String: Any]])?.first)
      #expect(alarm["at"] as? String == expected)
      // It stays in its zone, as another export shows.
      if let zone = line.split(separator: ":").first?.split(separator: "=").dropFirst().first {
        #expect(fixture.run("export").output.contains("TZID=\(zone):2026"))
      }
      fixture.run("edit", key, "--all-day")
      #expect(try fixture.shown(key)[key] as? String == String(expected.prefix(10)))
    }
  }

  @Test(
    "An event keeps its duration in hours across a change of the clocks",
    arguments: [
      ("2026-03-29 01:00", "3h", "2026-03-29T05:00:00+02:00"),
      ("2026-10-25 01:00", "3h", "2026-10-25T03:00:00+01:00"),
      ("2026-10-25 01:00", "2h", "2026-10-25T02:00:00+01:00"),
      ("2026-03-28 12:00", "1d", "2026-03-29T12:00:00+02:00"),
    ])
  func realHours(start: String, duration: String, end: String) throws {
    let id = try fixture.add(["event", "Watch", "--start", start, "--duration", duration])
    #expect(try fixture.shown(id)["end"] as? String == end)
  }

  @Test(
    "Values out of range are errors",
    arguments: [
      ["--due", "in 999999999 weeks"], ["--due", "in 9999 years"], ["--arrive", "52,13", "--radius", "0"],
      ["--arrive", "52,13", "--radius", "1e300km"], ["--arrive", "52,13", "--radius", "20001km"],
    ])
  func bounds(words: [String]) {
    #expect(fixture.run(["add", "reminder", "Far"] + words).code == .misuse)
    let event = ["add", "event", "Long", "--start", "today", "--duration", "9900y"]
    #expect(fixture.run(event).code == .misuse)
    #expect(fixture.run(event.dropLast() + ["500000w"]).code == .misuse)
    #expect(fixture.run("places", "add", "Moon", "52,13", "--radius", "0").code == .misuse)
  }

  @Test(
    "An all-day event has whole days",
    arguments: [("-5h", nil), ("36h", nil), ("2h", nil), ("0d", nil), ("-1d", nil), ("48h", 2), ("1w", 7)])
  func wholeDays(duration: String, days: Int?) throws {
    let result = fixture.run("add", "event", "Fair", "--start", "2026-05-04", "--duration", duration)
    #expect(result.code == (days == nil ? .misuse : .success))
    #expect(result.diagnostics.contains("takes whole days") == (days == nil))
    guard let days else { return }
    #expect(try fixture.shown("Fair")["end"] as? String == "2026-05-\(days == 2 ? "06" : "11")")
  }

  @Test(
    "Contradictory options are errors",
    arguments: [
      ["--no-due", "--due", "friday"], ["--no-priority", "--priority", "5"],
      ["--repeat", "daily", "--no-repeat"], ["--notes", "a", "--no-notes"],
      ["--no-start", "--start", "today"],
      ["--url", "a", "--no-url"], ["--location", "a", "--no-location"],
    ])
  func contradictions(words: [String]) throws {
    let id = try fixture.add(["reminder", "Bread", "--due", "2026-05-04 09:00"])
    let result = fixture.run(["edit", id] + words)
    #expect(result.code == .misuse && result.diagnostics.contains(", not both"), "\(result.diagnostics)")
    #expect(try fixture.shown(id)["due"] as? String == "2026-05-04T09:00:00+02:00")
  }

  @Test("A repeated item is changed once, and only matching items are changed")
  func twice() throws {
    _ = try fixture.add(["reminder", "bread"])
    _ = try fixture.add(["reminder", "bread rolls"])
    #expect(fixture.run("remove", "bread", "bread", "--yes").lines == ["removed bread"])
    #expect(fixture.run("list").output.contains("bread rolls"))
    let med = try fixture.add(["reminder", "med", "--due", "2026-05-01 08:00", "--repeat", "daily"])
    #expect(fixture.run("complete", "med", String(med.prefix(8))).lines.count == 1)
    #expect(try fixture.shown(med)["due"] as? String == "2026-05-02T08:00:00+02:00")
    _ = try fixture.add(["reminder", "milk"])
    _ = try fixture.add(["reminder", "milk shake"])
    #expect(fixture.run("complete", "milk", "milk").lines == ["completed milk"])
    #expect(fixture.run("move", "milk shake", "shake", "--list", "Home").lines == ["moved milk shake"])
  }
}
