import FencepostTestSupport
import Glibc
import Testing

@testable import fencepost

@Suite("The command doctor")
struct DoctorCommandTests {
  @Test("It says what is wrong and what to do, and exits with 1")
  func wrong() throws {
    let fixture = try CommandFixture()
    fixture.run("add", "reminder", "Tea", "--arrive", "52.5,13.4", "--place-name", "Shop")
    let result = fixture.run(columns: 100, "doctor")
    #expect(result.code == .failure, "\(result.diagnostics)")
    #expect(result.lines.first == "wrong    daemon: no daemon runs, so no alarm rings")
    #expect(result.lines.dropFirst().first?.contains("do: start it: fencepost daemon") == true)
    #expect(result.output.contains("wrong    channel: no channel: nobody hears of alarms"))
    #expect(result.output.contains("ok       alarm: all can ring"))
    #expect(result.lines.last?.contains(" wrong") == true)
    let findings = try fixture.run("doctor", "--json").lines.map(object)
    #expect(findings.allSatisfy { $0["type"] as? String == "finding" })
    let first = try #require(findings.first)
    #expect(first["level"] as? String == "wrong" && first["subject"] as? String == "daemon")
  }

  @Test("A backup is remembered; settings that can't be used, and secrets for all, are found")
  func files() throws {
    let fixture = try CommandFixture()
    fixture.run("add", "reminder", "Tea", "--no-alarm")
    #expect(fixture.run("doctor").output.contains("warning  backup: no backup was made"))
    #expect(fixture.run("backup", fixture.directory.path("copy.sqlite")).code == .success)
    #expect(fixture.run("doctor").output.contains("ok       backup: last made Friday, 1 May 2026, 14:30"))
    let settings = try fixture.directory.write(#"{"channels": ["nonsense:"]}"#, to: "config.json")
    let broken = fixture.run("doctor", "--config", settings)
    #expect(
      broken.code == .failure && broken.output.contains("settings \(settings):1: 'channels': 'nonsense:'"))
    #expect(broken.output.contains("nonsense"))
  }

  @Test(
    "A file of streets that can't be used is found, with the reason",
    arguments: [
      #"{"streets": "FILE"}"#,
      #"{"server": {"address": "http://127.0.0.1:0", "tiles-file": "FILE"}}"#,
    ])
  func streets(settings: String) throws {
    let fixture = try CommandFixture()
    fixture.run("add", "reminder", "Tea", "--no-alarm")
    let file = try fixture.directory.write("PMTiles\u{3} and nothing more", to: "map.pmtiles")
    let path = try fixture.directory.write(settings.replacing("FILE", with: file), to: "config.json")
    let result = fixture.run("doctor", "--config", path)
    #expect(result.code == .failure && result.output.contains("wrong    settings"))
    #expect(result.output.contains("it ends within its header"))
  }

  @Test("A channel and a feed that can't be reached are wrong; a server that answers is said")
  func connections() throws {
    let fixture = try CommandFixture()
    fixture.run("add", "reminder", "Tea", "--no-alarm")
    let server = try LoopbackServer { _ in .text("") }
    let place = server.address("").drop { $0 != "/" }.drop { $0 == "/" }
    let reserved = try ReservedPort()
    let closed = reserved.number
    let settings = try fixture.directory.write(
      """
      {"channels": ["mqtt://127.0.0.1:\(closed)/alarms", "ntfy://\(place)/alarms?secure=false"],
        "feeds": ["mqtt://127.0.0.1:\(closed)/owntracks/+/+", "-"]}
      """, to: "config.json")
    let lines = fixture.run("doctor", "--config", settings).lines
    #expect(
      lines.contains {
        $0.hasPrefix(
          "wrong    channel mqtt://127.0.0.1:\(closed)/alarms: 127.0.0.1:\(closed) can't be reached: ")
      }, "\(lines)")
    #expect(
      lines.contains { $0.hasPrefix("wrong    feed mqtt://127.0.0.1:\(closed)/owntracks/+/+: ") }, "\(lines)")
    #expect(
      lines.contains { $0.hasPrefix("ok       channel ntfy://") && $0.hasSuffix(", \(place) answers") },
      "\(lines)")
    #expect(server.requests.isEmpty)
  }

  @Test("A desktop is advised only where there is one")
  func desktop() throws {
    let fixture = try CommandFixture()
    func advice() -> String? { fixture.run("doctor").lines.first { $0.contains("do: add one") } }
    #expect(advice()?.contains("desktop") == false && advice()?.contains("fencepost setup") == true)
    fixture.variables = ["DISPLAY": ":0", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
    #expect(advice()?.contains("--deliver desktop") == true)
  }

  @Test("A store that can't be read is a finding, and the rest is examined")
  func unreadable() throws {
    let fixture = try CommandFixture()
    _ = try fixture.directory.write("no store", to: "calendar.sqlite")
    let result = fixture.run("doctor")
    #expect(result.code == .failure)
    #expect(result.output.contains("wrong    store: it can't be read: "), "\(result.output)")
    for subject in ["daemon:", "channel:", "clock:", "disk:"] { #expect(result.output.contains(subject)) }
  }

  @Test("Without a daemon, a terminal says that an added alarm will not ring; a pipe does not")
  func added() throws {
    let fixture = try CommandFixture()
    let words = ["Tea", "--due", "2026-05-02 09:00"]
    #expect(
      fixture.run(["add", "reminder"] + words, output: .terminal(columns: 80)).diagnostics
        == "No daemon runs, so this will not ring; 'fencepost doctor' says what to do.\n")
    #expect(fixture.run(["add", "reminder"] + words).diagnostics == "")
    #expect(fixture.run(columns: 80, "add", "reminder", "Tea", "--no-alarm").diagnostics == "")
    #expect(fixture.run(columns: 80, "alarms", "next").diagnostics.hasPrefix("No daemon runs"))
    #expect(fixture.run("alarms", "next").diagnostics == "")
    #expect(fixture.run("status").lines.first?.hasPrefix("daemon: not running") == true)
  }

  @Test("Alarms that no daemon has scheduled yet count, also those at places alone")
  func unscheduled() throws {
    let fixture = try CommandFixture()
    fixture.run("add", "Pay rent tomorrow noon")
    let status = fixture.run("status").lines
    #expect(status.contains { $0.hasPrefix("next: ") && $0.hasSuffix("Pay rent") })
    #expect(status.first == "daemon: not running, so no alarm will ring")
    #expect(fixture.run("doctor").output.contains("no daemon runs, so no alarm rings"))
    let other = try CommandFixture()
    #expect(other.run("status").lines.first == "daemon: not running")
    other.run("add", "reminder", "Bread", "--arrive", "52.5,13.4")
    #expect(other.run("status").lines.first == "daemon: not running, so no alarm will ring")
    #expect(
      other.run("explain", "Bread").output.contains("Nothing was recorded: no daemon ran in this time."))
    #expect(other.run("history").diagnostics.contains("fencepost daemon --history DAYS"))
  }
}
