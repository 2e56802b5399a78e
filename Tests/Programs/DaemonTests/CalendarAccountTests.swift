import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostGeodesy
import FencepostSystem
import FencepostTestSupport
import FencepostWebServer
import Foundation
import Testing

@testable import FencepostDaemon

/// A phone that writes its reminders into a daemon over CalDAV.
@Suite("A daemon as a calendar account")
struct CalendarAccountTests {
  let fixture: LiveAlarmFixture

  init() throws { fixture = try LiveAlarmFixture() }

  /// A reminder at a place, as iOS 26 writes it: Apple's property alone, and a trigger that is no time.
  private static let arrival = """
    BEGIN:VCALENDAR
    CALSCALE:GREGORIAN
    PRODID:-//Apple Inc.//iOS 26.5//EN
    VERSION:2.0
    BEGIN:VTODO
    CREATED:20260501T060000Z
    DTSTAMP:20260501T060000Z
    LAST-MODIFIED:20260501T060000Z
    SUMMARY:Water the plants
    UID:6A1C6D6B-57E8-4C37-8B86-5B2B3F0B4C11
    X-APPLE-SORT-ORDER:799999999
    BEGIN:VALARM
    ACTION:DISPLAY
    DESCRIPTION:Reminder
    TRIGGER;VALUE=DATE-TIME:19760401T005545Z
    UID:9D3E2C5E-1F57-4C35-9D29-2F6A1C1B6A01
    X-APPLE-PROXIMITY:ARRIVE
    X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS=Somewhere 1;X-APPLE-RADIU
     S=100;X-APPLE-REFERENCEFRAME=0;X-TITLE=Home:geo:52.500000,13.400000
    X-WR-ALARMUID:9D3E2C5E-1F57-4C35-9D29-2F6A1C1B6A01
    END:VALARM
    END:VTODO
    END:VCALENDAR

    """.replacing("\n", with: "\r\n")

  @Test("A reminder at a place that a phone has stored goes off at the first position there, a second later")
  func arrival() throws {
    let clients = ClientRegistry(store: fixture.store, clock: { .wallClock() })
    let (user, password) = try clients.add("phone", rights: [.read, .write, .positions])
    let authorization =
      "Authorization: Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    let port = try Counterpart.freePort()
    let daemon = try DaemonProgram(
      store: fixture.store.path, output: fixture.directory.path("out"),
      ["--serve", "http://127.0.0.1:\(port)", "--deliver", "-", "--policy", "exact"])
    defer { daemon.end(by: SIGKILL) }
    #expect(eventually { (try? HTTPProbe(port: port)) != nil })
    let now = Int(Instant.wallClock().wholeSeconds)
    func move(_ metres: Double, _ seconds: Int) throws -> String {
      let place = Geodesic.destination(from: LiveAlarmFixture.home, azimuth: 90, metres: metres)
      return try HTTPProbe.ask(
        port, "POST", "/positions?d=phone", headers: [authorization],
        body:
          #"{"_type":"location","lat":\#(place.latitude),"lon":\#(place.longitude),"acc":5,"tst":\#(now + seconds)}"#
      )
    }
    #expect(try move(5_000, -60).hasPrefix("200"))
    let put = try HTTPProbe.ask(
      port, "PUT", "/dav/calendars/\(user)/\(fixture.list.id)/6A1C.ics",
      headers: [authorization, "Content-Type: text/calendar", "If-None-Match: *"], body: Self.arrival)
    let stored = ContinuousClock.now
    #expect(put.hasPrefix("201"))
    #expect(try move(0, 0).hasPrefix("200"))
    #expect(try eventually { try !fixture.store.read { try $0.firings() }.isEmpty })
    #expect(ContinuousClock.now - stored < .seconds(1))
    let firing = try #require(try fixture.store.read { try $0.firings() }.first?.firing)
    #expect(firing.kind == .enter)
    #expect(try fixture.store.read { try $0.item(firing.item) }?.title == "Water the plants")
  }
}
