import CalendarModel
import Foundation
import TestSupport
import Testing

@testable import fencepost

@Suite("Conferences")
struct JoinTests {
  @Test(
    "Links that join a call are recognised",
    arguments: [
      ("Join: https://us02web.zoom.us/j/123?pwd=x.", "https://us02web.zoom.us/j/123?pwd=x"),
      ("<https://meet.google.com/abc-defg-hij>", "https://meet.google.com/abc-defg-hij"),
      (
        "see https://example.org, https://teams.microsoft.com/l/meetup-join/19%3ameeting",
        "https://teams.microsoft.com/l/meetup-join/19%3ameeting"
      ),
      ("HTTPS://meet.jit.si/Room", "HTTPS://meet.jit.si/Room"),
      ("https://team.webex.com/meet/room", "https://team.webex.com/meet/room"),
      ("https://zoom.us/pricing", nil), ("https://evilzoom.us/j/1", nil),
      ("https://zoom.us@evil.example/j/1", nil),
      ("http://meet.google.com/x", nil), ("https://meet.google.com/", nil), ("hhhhttps", nil), ("", nil),
    ] as [(String, String?)])
  func links(text: String, link: String?) {
    #expect(JoinLink.first(in: [nil, text]) == link)
  }

  @Test("join finds CONFERENCE and links, now or by name; JSON has them; export keeps them")
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
}
