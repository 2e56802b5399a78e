import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

@Suite("Default alarms")
struct DefaultAlarmTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private func settings(_ text: String) throws {
    let folder = fixture.directory.url.appendingPathComponent(".config/fencepost")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appendingPathComponent("config.json"))
  }

  /// The offset of the default alarm that an item has by the settings of its list.
  private func implied(_ id: String) throws -> String? {
    (try fixture.shown(id)["implied_alarm"] as? [String: Any])?["offset"] as? String
  }

  /// The offsets of an item's own alarms.
  private func offsets(_ id: String) throws -> [String] {
    let alarms = try #require(try fixture.shown(id)["alarms"] as? [[String: Any]])
    return alarms.compactMap { $0["offset"] as? String }
  }

  private func next() -> [String] {
    fixture.run("alarms", "next").lines.map {
      $0.split(separator: "\t").prefix(2).joined(separator: " ")
    }
  }

  private func rows(_ id: String) -> [String] {
    fixture.run("show", id).lines.filter { $0.hasPrefix("alarm") }.map {
      String($0.split(separator: "\t")[1])
    }
  }

  @Test("A new reminder with a due time has the default alarm, unless an option prevents it")
  func add() throws {
    let timed = try fixture.add(["reminder", "Tea", "--due", "2026-05-01 16:00"])
    #expect(try offsets(timed).isEmpty && implied(timed) == "PT0S")
    #expect(rows(timed) == ["on time, from the settings of its list"])
    let day = try fixture.add(["reminder", "Milk", "--due", "2026-05-02"])
    #expect(rows(day) == ["at 09:00, from the settings of its list"])
    let started = try fixture.add(
      ["reminder", "Essay", "--start", "2026-05-02 10:00", "--due", "2026-05-02 18:00"])
    #expect(rows(started) == ["on time, from the settings of its list"])
    let own = try fixture.add(["reminder", "Cake", "--due", "2026-05-01 17:00", "--alarm", "-15m"])
    #expect(try offsets(own) == ["-PT15M"] && implied(own) == nil)
    let undated = try fixture.add(["reminder", "Bread"])
    #expect(try offsets(undated).isEmpty && implied(undated) == nil)
    let silent = try fixture.add(["reminder", "Secret", "--due", "2026-05-01 18:00", "--no-alarm"])
    #expect((try fixture.shown(silent)["alarms"] as? [Any])?.isEmpty == true)
    #expect(try implied(silent) == nil && rows(silent) == ["none"])
    #expect(
      next() == [
        "2026-05-01T16:00:00+02:00 Tea", "2026-05-01T16:45:00+02:00 Cake", "2026-05-02T09:00:00+02:00 Milk",
        "2026-05-02T18:00:00+02:00 Essay",
      ])
    #expect(
      fixture.run("add", "reminder", "X", "--due", "friday", "--alarm", "-1h", "--no-alarm").code == .misuse)
    #expect(
      fixture.run(columns: 80, "add", "reminder", "Nuts", "--due", "2026-05-03").output.contains(
        "alarm at 09:00"))
    // A reminder without a due time has no relative alarm.
    #expect(fixture.run("edit", timed, "--no-due").code == .success)
    #expect(try offsets(timed).isEmpty && implied(timed) == nil)
    #expect(fixture.run("edit", silent, "--alarm", "-5m").code == .success)
    #expect(rows(silent) == ["5 min before"])
  }

  @Test("The settings define the default alarm, and a list can override it")
  func configured() throws {
    try settings(#"{"default-alarm": "-15m", "all-day-hour": "18:30"}"#)
    #expect(fixture.run("config").output.contains("default-alarm\t-15m\t"))
    let timed = try fixture.add(["reminder", "Tea", "--due", "2026-05-01 16:00"])
    #expect(try implied(timed) == "-PT15M")
    _ = try fixture.add(["reminder", "Milk", "--due", "2026-05-02", "--alarm", "0m"])
    _ = try fixture.add(["reminder", "Work", "--list", "Work", "--no-alarm"])
    let changed = fixture.run(
      "lists", "edit", "Work", "--default-alarm", "none", "--all-day-hour", "7am", "--no-ring-when-due",
      "--json")
    let line = try object(try #require(changed.lines.first))
    #expect(line["default_alarm"] as? String == "none" && line["all_day_hour"] as? String == "07:00")
    #expect(line["rings_when_due"] as? Bool == false)
    let work = try fixture.add(["reminder", "Report", "--due", "2026-05-02", "--list", "Work"])
    #expect(try offsets(work).isEmpty && implied(work) == nil)
    _ = try fixture.add(["reminder", "Early", "--due", "2026-05-02", "--list", "Work", "--alarm", "0m"])
    #expect(
      next() == [
        "2026-05-01T15:45:00+02:00 Tea", "2026-05-02T07:00:00+02:00 Early", "2026-05-02T18:30:00+02:00 Milk",
      ])
    fixture.run(
      "lists", "edit", "Work", "--default-alarm", "inherit", "--all-day-hour", "inherit", "--ring-when-due")
    #expect(next().contains("2026-05-02T18:15:00+02:00 Report"))
    #expect(fixture.run("lists", "edit", "Work").code == .misuse)
    #expect(fixture.run("lists", "edit", "Work", "--default-alarm", "soon").code == .misuse)

    try settings(#"{"default-alarm": "none"}"#)
    let silent = try fixture.add(["reminder", "Quiet", "--due", "2026-05-03 10:00"])
    #expect(
      try offsets(silent).isEmpty && implied(silent) == nil && !next().contains { $0.hasSuffix("Quiet") })
    for wrong in [#"{"default-alarm": "soon"}"#, #"{"all-day-hour": "25:00"}"#] {
      try settings(wrong)
      #expect(fixture.run("config", "--check", "--deliver", "-").code == .misuse)
    }
  }

  @Test("After a change of the list's settings, a reminder and its twin from elsewhere ring together")
  func twins() throws {
    let id = try fixture.add(["reminder", "Tea", "--due", "2026-05-01 16:00", "--arrive", "52.4,13.06"])
    let file = fixture.directory.path("twin.ics")
    let exported = fixture.run("export").output
    #expect(!exported.contains("TRIGGER:PT0S"))
    try Data(exported.replacing(id, with: "twin").replacing("SUMMARY:Tea", with: "SUMMARY:Twin").utf8)
      .write(to: URL(fileURLWithPath: file))
    fixture.run("import", file)
    fixture.run("lists", "edit", "Reminders", "--default-alarm=-30m")
    #expect(next().sorted() == ["2026-05-01T15:30:00+02:00 Tea", "2026-05-01T15:30:00+02:00 Twin"])
    #expect(fixture.run("list").lines.count { $0.contains("30 min before") } == 2)
    // Without a time, and without an alarm at the due time.
    let quiet = try fixture.add([
      "reminder", "Quiet", "--due", "16:00", "--arrive", "52.4,13.06", "--no-alarm",
    ])
    #expect(try implied(quiet) == nil && !next().contains { $0.hasSuffix("Quiet") })
  }

  @Test("A reminder from a file rings, and is exported unchanged")
  func imported() throws {
    let file = fixture.directory.path("in.ics")
    let text = """
      BEGIN:VCALENDAR\r
      VERSION:2.0\r
      PRODID:-//Test//EN\r
      BEGIN:VTODO\r
      UID:later\r
      DTSTAMP:20260101T000000Z\r
      SUMMARY:Later\r
      DUE:20260501T160000\r
      END:VTODO\r
      BEGIN:VTODO\r
      UID:past\r
      DTSTAMP:20260101T000000Z\r
      SUMMARY:Past\r
      DUE:20260501T100000\r
      END:VTODO\r
      BEGIN:VTODO\r
      UID:silent\r
      DTSTAMP:20260101T000000Z\r
      SUMMARY:Silent\r
      DUE:20260501T160000\r
      BEGIN:VALARM\r
      ACTION:NONE\r
      TRIGGER;VALUE=DATE-TIME:19760401T005545Z\r
      END:VALARM\r
      END:VTODO\r
      END:VCALENDAR\r

      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    #expect(fixture.run("import", file).code == .success)
    #expect(next() == ["2026-05-01T16:00:00+02:00 Later"])
    let item = try #require(try fixture.openStore().read { try $0.items(uid: "later").first })
    #expect(item.alarms.isEmpty && item.arrived == Instant(microseconds: fixture.now))
    #expect(rows("Later") == ["on time, from the settings of its list"])
    let implied = try #require(try fixture.shown("Later")["implied_alarm"] as? [String: Any])
    #expect(implied["id"] as? String == "later#due" && implied["offset"] as? String == "PT0S")
    #expect(try fixture.shown("Silent")["implied_alarm"] == nil)

    let exported = fixture.run("export").output
    #expect(exported.components(separatedBy: "BEGIN:VALARM").count == 2 && !exported.contains("#due"))
    #expect(exported.contains("ACTION:NONE"))

    // A day later, without a daemon in between, and with a due time moved to the past: still no alarm.
    fixture.now += 86_400_000_000
    let moved = text.replacingOccurrences(of: "DUE:20260501T100000", with: "DUE:20260501T200000")
    try Data(moved.utf8).write(to: URL(fileURLWithPath: file))
    #expect(fixture.run("import", file).code == .success)
    let again = try #require(try fixture.openStore().read { try $0.items(uid: "past").first })
    #expect(again.arrived == Instant(microseconds: fixture.now))
  }

  @Test("The status shows where the engine believes a device to be")
  func doubt() throws {
    let home = "52.4,13.1"
    fixture.run("add", "reminder", "Keys", "--arrive", home, "--radius", "100", "--place-name", "Home")
    // Far away for a while, then imprecise fixes inside, near the boundary.
    var lines = ["time,lat,lon,accuracy"]
    for minute in 0..<10 { lines.append("2026-05-01T14:0\(minute):00Z,52.42,13.1,10") }
    lines.append("2026-05-01T14:20:00Z,52.4008,13.1,90")
    let file = fixture.directory.path("trace.csv")
    func status() throws -> (text: String, places: [String]?, perhaps: [String]?, held: [String: Any]?) {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: file))
      let replay = fixture.run("replay", "--record", file)
      #expect(replay.code == .success, "\(replay.diagnostics)")
      let json = try object(fixture.run("status", "--json").lines[0])
      let device = try #require((json["devices"] as? [[String: Any]])?.first)
      return (
        fixture.run("status").output, device["places"] as? [String], device["perhaps"] as? [String],
        device["held"] as? [String: Any]
      )
    }
    // At rest, one such fix is not enough.
    let held = try status()
    #expect(held.text.contains("waits for another position to confirm 52.4008,13.1 "), "\(held.text)")
    #expect(held.held?["reason"] as? String == "unconfirmed" && held.held?["latitude"] as? Double == 52.4008)
    #expect(held.perhaps == [])
    lines.append("2026-05-01T14:20:30Z,52.40081,13.1,90")
    let doubtful = try status()
    #expect(doubtful.text.contains(", perhaps at Home\n"))
    #expect(doubtful.places == [] && doubtful.perhaps == ["Home"] && doubtful.held == nil)
    for minute in 21..<40 { lines.append("2026-05-01T14:\(minute):00Z,52.4,13.1,10") }
    let sure = try status()
    #expect(sure.text.contains(", at Home\n"))
    #expect(sure.places == ["Home"] && sure.perhaps == [])
  }
}
