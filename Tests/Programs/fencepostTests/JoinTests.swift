import FencepostCalendarModel
import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

@Suite("Conferences")
struct JoinTests {
  @Test(
    "join finds CONFERENCE and links, for the current or a named event; JSON contains them, and export keeps them"
  )
  func joining() throws {
    let fixture = try CommandFixture()
    func event(_ uid: String, _ start: String, _ line: String) -> String {
      "BEGIN:VEVENT\r\nUID:\(uid)\r\nSUMMARY:\(uid)\r\nDTSTART:\(start)\r\nDURATION:PT1H\r\n\(line)\r\nEND:VEVENT\r\n"
    }
    let file = try fixture.directory.write(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x\r\n"
        + event("Early", "20260501T113000Z", "LOCATION:https://meet.jit.si/early")
        + event(
          "Standup", "20260501T122500Z",
          "CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO;LABEL=\"Team room\":https://call.example.org/team")
        + event("Later", "20260501T131000Z", "DESCRIPTION:Dial in: https://zoom.us/j/5")
        + event("Bad", "20260501T123000Z", "CONFERENCE:javascript:alert(1)") + "END:VCALENDAR\r\n",
      to: "a.ics")
    #expect(fixture.run("import", file).code == .success)
    #expect(fixture.run("join").output == "https://call.example.org/team\n")
    #expect(fixture.run("join", "Later").output == "https://zoom.us/j/5\n")
    #expect(fixture.run("join", "Bad").code == .failure)
    let line = try object(try #require(fixture.run("join", "Standup", "--json").lines.first))
    #expect(line["label"] as? String == "Team room")
    #expect(line["features"] as? [String] == ["audio", "video"])
    let shown = try object(try #require(fixture.run("show", "Later", "--json").lines.first))
    #expect((shown["conferences"] as? [[String: Any]])?.first?["label"] as? String == "Zoom")
    #expect(
      fixture.run("export").output.replacing("\r\n ", with: "").contains(
        "LABEL=\"Team room\":https://call.example.org/team"))
    fixture.now += 3 * 86_400_000_000
    #expect(fixture.run("join").code == .failure)
  }

  @Test(
    "add event asks a provider for a room, which JSON and export have; several kinds of rooms must be chosen from"
  )
  func provider() throws {
    let fixture = try CommandFixture()
    fixture.variables["XDG_DATA_HOME"] = fixture.directory.path("data")
    fixture.variables["XDG_DATA_DIRS"] = "/none"
    let folder = fixture.directory.path("data/fencepost/conferences")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let script =
      #"read l; case $l in *types*) echo '{\"type\":\"room-types\",\"room_types\":[{\"id\":\"a\"},{\"id\":\"b\",\"title\":\"Team\"}]}';; *) echo '{\"type\":\"conference\",\"urls\":[{\"url\":\"https://call.example/1\"}],\"details\":\"Code 5\"}';; esac"#
    _ = try fixture.directory.write(
      #"{"name":"Calls","command":["/bin/sh","-c","\#(script)"]}"#,
      to: "data/fencepost/conferences/calls.json")
    #expect(fixture.run("conferences").output == "calls\tCalls\n")
    #expect(fixture.run("conferences", "calls").output == "a\ta\nb\tTeam\n")
    let start = ["--start", "tomorrow 9:00"]
    let unsure = fixture.run(["add", "event", "Call", "--conference", "calls"] + start)
    #expect(unsure.code == .failure && unsure.diagnostics.contains("--conference calls:b  (Team)"))
    #expect(fixture.run(["add", "event", "Call", "--conference", "none"] + start).code == .failure)
    #expect(fixture.run("list", "--events").output.isEmpty)
    #expect(fixture.run(["add", "event", "Call", "--conference", "calls:b"] + start).code == .success)
    #expect(fixture.run("join", "Call").output == "https://call.example/1\n")
    #expect(fixture.run("show", "Call").output.contains("conference\thttps://call.example/1"))
    let shown = try object(try #require(fixture.run("show", "Call", "--json").lines.first))
    #expect(shown["notes"] as? String == "Code 5")
    #expect(
      fixture.run("export").output.replacing("\r\n ", with: "").contains(
        "CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO;LABEL=Calls:https://call.example/1"))
  }
}
