import FencepostCalendarModel
import FencepostCalendarStore
import FencepostJSON
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostWebApp

@Suite("Import over the API")
struct ImportAPITests {
  private let directory: TemporaryDirectory
  private let fixture: WebAppFixture

  init() throws {
    directory = try TemporaryDirectory()
    fixture = try WebAppFixture(path: directory.path("calendar.sqlite"))
  }

  private static let calendar = """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    PRODID:-//test//EN\r
    BEGIN:VTODO\r
    UID:milk\r
    SUMMARY:Milk\r
    DTSTAMP:20260501T100000Z\r
    END:VTODO\r
    END:VCALENDAR\r

    """

  @Test("The owner gets a checked backup as a file, and nobody else does")
  func backup() throws {
    #expect(try fixture.ask("GET", "/backup").hasPrefix("403"))
    let probe = try HTTPProbe(port: fixture.port)
    probe.send(
      "GET /api/v1/backup HTTP/1.1\r\nHost: localhost\r\nCookie: \(try fixture.signIn())\r\n"
        + "Connection: close\r\n\r\n")
    let answer = probe.rest()
    #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("SQLite format 3"))
    #expect(answer.contains("filename=\"fencepost-2026-"))
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path(""))
    #expect(names.filter { $0.contains(".part-") } == [])
    #expect(try fixture.ask("GET", "/doctor").contains("last made"))
  }

  private func load(_ name: String, _ text: String, list: String? = nil) throws -> String {
    var line = JSONLine()
    line.add("name", name)
    line.add("text", text)
    line.add("list", list)
    return try fixture.ask("POST", "/import", line.line)
  }

  @Test(
    "What a file has decides whether it has places, not its name",
    arguments: [
      ("ann.vcf", "\u{FEFF}begin:vcard\r\nVERSION:3.0\r\nFN:Ann\r\nGEO:52.5;13.4\r\nEND:VCARD\r\n"),
      (
        "phone.otrw",
        #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"Ann","lat":52.5,"lon":13.4}]}"#
      ),
      (
        "places.json",
        #"""
        {"type":"Feature","properties":{"name":"Ann"},
         "geometry":{"type":"Point","coordinates":[13.4,52.5]}}
        """#
      ),
      ("track", #"<gpx version="1.1"><wpt lat="52.5" lon="13.4"><name>Ann</name></wpt></gpx>"#),
    ])
  func places(name: String, text: String) throws {
    let answer = try load(name, text)
    #expect(answer.hasPrefix("200") && answer.contains(#""added":1"#), "\(answer)")
    #expect(try fixture.store.read { try $0.namedPlace("Ann") } != nil)
  }

  @Test("A calendar is one under any name", arguments: ["a.ics", "a.txt", "a.gpx"])
  func calendars(name: String) throws {
    let answer = try load(name, Self.calendar)
    #expect(answer.hasPrefix("200") && answer.contains(#""added":1"#), "\(answer)")
    #expect(try fixture.store.read { try $0.items(uid: "milk").count } == 1)
  }

  @Test("A file without either says so by its name", arguments: ["a.gpx", "a.ics", "a.txt", ""])
  func neither(name: String) throws { #expect(try load(name, "nothing").hasPrefix("400")) }

  @Test("Items go to the list that was chosen; an unknown or read-only one is refused, and nothing is read")
  func list() throws {
    #expect(try load("a.ics", Self.calendar, list: "nowhere").hasPrefix("400"))
    let read = try fixture.store.write { writer in
      let list = ItemCalendar(
        source: try writer.defaultCalendar(for: .reminders).source, title: "Holidays", entities: .reminders,
        allowsContentModifications: false)
      try writer.save(list)
      return list
    }
    let refused = try load("a.ics", Self.calendar, list: read.id.rawValue)
    #expect(refused.hasPrefix("400") && refused.contains("'Holidays' is read-only"), "\(refused)")
    #expect(try fixture.store.read { try $0.items(uid: "milk").isEmpty })
    let made = try fixture.json("POST", "/lists", #"{"title":"Shopping","reminders":true}"#)
    let chosen = try #require(made["id"]?.text)
    #expect(try load("a.ics", Self.calendar, list: chosen).hasPrefix("200"))
    #expect(try fixture.store.read { try $0.items(uid: "milk").map(\.calendar.rawValue) } == [chosen])
  }
}
