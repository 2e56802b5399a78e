import FencepostInterchange
import FencepostJSON
import FencepostSystem
import Testing

@testable import FencepostWebApp

@Suite("The API and rooms for calls")
struct ConferenceAPITests {
  private static func provider(_ script: String) -> ConferenceProvider {
    ConferenceProvider(
      id: "jitsi", name: "Jitsi", program: .init(path: "/bin/sh", arguments: ["-c", script]))
  }

  private static let room =
    #"{"urls":[{"url":"https://meet.example/r1","title":"Video"},{"url":"file:///etc/passwd"}],"details":"Code 7"}"#

  @Test("A room is made, and an event keeps its address")
  func making() throws {
    let fixture = try WebAppFixture(conferences: [Self.provider("read line; echo '\(Self.room)'")])
    let room = try fixture.json("POST", "/conferences/jitsi", #"{"room_type":"room"}"#)
    #expect(room["details"]?.text == "Code 7")
    #expect(room["conferences"]?.list?.compactMap { $0["url"]?.text } == ["https://meet.example/r1"])
    let event = #"{"type":"event","title":"Call","start":"2026-05-02T09:00","url":"https://meet.example/r1"}"#
    #expect(try fixture.json("POST", "/items", event)["url"]?.text == "https://meet.example/r1")
  }

  @Test("An unknown program is not found; a missing kind and a program that fails are refused with a reason")
  func refusals() throws {
    let fixture = try WebAppFixture(conferences: [Self.provider("exit 3")])
    #expect(try fixture.ask("POST", "/conferences/none", #"{"room_type":"room"}"#).hasPrefix("404"))
    #expect(try fixture.ask("POST", "/conferences/jitsi", "{}").hasPrefix("400"))
    let failed = try fixture.ask("POST", "/conferences/jitsi", #"{"room_type":"room"}"#)
    #expect(failed.hasPrefix("400") && failed.contains("exit status 3"))
  }
}
