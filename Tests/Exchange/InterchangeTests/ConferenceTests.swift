import FencepostCalendarModel
import FencepostICalendar
import FencepostSystem
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostInterchange

@Suite("Providers of conferences")
struct ConferenceTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.path("fencepost/conferences"), withIntermediateDirectories: true)
  }

  /// A provider whose program is a script.
  private func provider(_ script: String) -> ConferenceProvider {
    ConferenceProvider(
      id: "test", name: "Test", program: .init(path: "/bin/sh", arguments: ["-c", script]))
  }

  @Test("Providers are found by their files, the user's first; broken files are passed over")
  func finding() throws {
    try directory.write(#"{"command":["/bin/true"]}"#, to: "fencepost/conferences/b.json")
    try directory.write(
      #"{"name":"A","command":["/bin/cat","-u"]} // more"#, to: "fencepost/conferences/a.json")
    try directory.write("{", to: "fencepost/conferences/c.json")
    try directory.write(#"{"command":[]}"#, to: "fencepost/conferences/d.json")
    try directory.write(#"{"command":["x"]}"#, to: "fencepost/conferences/e.txt")
    let found = ConferenceProvider.installed(in: ["/none", directory.url.path])
    #expect(found.map(\.id) == ["a", "b"])
    #expect(found.map(\.name) == ["A", "b"])
    #expect(found.first?.program.arguments == ["-u"])
  }

  @Test("A program is asked for its kinds of rooms and for a room, which an event keeps for export")
  func asking() throws {
    let types = provider(
      #"""
      read line; echo hello; cat <<'END'
      {"type":"room-types","room_types":[{"id":"x","title":"X"},{"title":"-"},{"id":"y"}]}
      END
      """#)
    #expect(try types.roomTypes() == [.init(id: "x", title: "X"), .init(id: "y", title: "y")])
    let room = try provider(
      #"""
      read -r line; case $line in *'"room_type":"x y"'*) cat <<'END'
      {"type":"conference","title":"Team","details":"Code 1\n2","urls":[{"title":"Web","url":"https://call.example/1"},{"url":"tel:+1"},{"url":"javascript:x"}]}
      END
      esac
      """#
    ).room("x y")
    var item = CalendarItem(
      calendar: Identifier(rawValue: "c"), title: "Call",
      details: .event(
        EventDetails(start: .date(CivilDay(dayNumber: 1)), end: .date(CivilDay(dayNumber: 2)))))
    item.notes = "Bring tea"
    room.add(to: &item)
    #expect(item.conferences.map(\.address) == ["https://call.example/1", "tel:+1"])
    #expect(item.conferences.map(\.label) == ["Team: Web", "Team"])
    #expect(item.notes == "Bring tea\n\nCode 1\n2")
  }

  @Test("A program that fails, hangs, floods or lies gives an error in one line")
  func failures() {
    func message(_ script: String, timeout: Double = 10) -> String {
      var provider = provider(script)
      provider.timeout = timeout
      do throws(ConferenceError) { return "\(try provider.room("x").conferences)" } catch {
        return "\(error)"
      }
    }
    #expect(message("exit 3") == "Test: exit status 3")
    #expect(message("sleep 60", timeout: 0.2) == "Test: took longer than 0 s")
    #expect(message("yes") == "Test: wrote more than 1 MB")
    #expect(message("kill -9 $$") == "Test: was killed by signal 9")
    #expect(message("echo nothing") == "Test: gave no answer")
    #expect(
      message(#"printf '%s\n' '{"type":"error","message":"not\nsigned in"}'; exit 1"#) == "Test: notsigned in"
    )
    #expect(
      message(#"echo '{"type":"conference","urls":[{"url":"file:///etc/passwd"}]}'"#)
        == "Test: gave no address to join")
    let missing = ConferenceProvider(id: "m", name: "M", program: .init(path: "/none"))
    #expect(throws: ConferenceError.self) { try missing.roomTypes() }
  }
}
