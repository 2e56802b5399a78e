import FencepostAddresses
import FencepostMQTT
import FencepostMQTT
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostTestSupport
import Testing

@testable import FencepostLiveFeeds

@Suite("Fences that phones watch")
struct PhoneWaypointTests {
  private let fixture: LiveAlarmFixture

  init() throws { fixture = try LiveAlarmFixture() }

  private var home: Coordinate { fixture.fix(0, 0).coordinate }

  private func time(_ seconds: Double) -> Instant { LiveAlarmFixture.start.adding(seconds: seconds) }

  @Test("A phone gets the nearest fences once, and again after a change")
  func nearest() throws {
    try fixture.reminder("Home", LiveAlarmFixture.alarm(.enter))
    try fixture.reminder("Home", LiveAlarmFixture.alarm(.leave))
    let waypoints = PhoneWaypoints(store: fixture.store)
    #expect(waypoints.command(for: "ann/phone", at: home, time(0), most: 0) == nil)
    let command = try #require(waypoints.command(for: "ann/phone", at: home, time(1), most: 20))
    #expect(
      command.hasPrefix(
        #"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[{"#))
    // Both alarms are at the same place.
    #expect(command.split(separator: #""rid":"fencepost-"#).count == 2)
    #expect(waypoints.command(for: "ann/phone", at: home, time(2), most: 20) == nil)
    #expect(waypoints.command(for: "bob/phone", at: home, time(3), most: 20) == command)
    waypoints.forget("ann/phone")
    #expect(waypoints.command(for: "ann/phone", at: home, time(4), most: 20) == command)
    // Far away there is no fence, and the old one is removed.
    let far = Geodesic.destination(from: home, azimuth: 0, metres: 500_000)
    let other = try #require(waypoints.command(for: "ann/phone", at: far, time(5), most: 20))
    #expect(other.contains(#""lat":-1000000"#))
  }

  @Test("A client of some lists gets the fences of these lists only")
  func lists() throws {
    let item = try fixture.reminder("Home", LiveAlarmFixture.alarm(.enter))
    let waypoints = PhoneWaypoints(store: fixture.store)
    #expect(waypoints.command(for: "tablet", at: home, time(0), most: 20, lists: ["other"]) == nil)
    let own: Set = [item.calendar.rawValue]
    #expect(waypoints.command(for: "tablet", at: home, time(1), most: 20, lists: own) != nil)
    // Not even to remove what another client got under the same name.
    #expect(waypoints.command(for: "tablet", at: home, time(2), most: 20, lists: ["other"]) == nil)
  }

  @Test("A phone drops a place that got another number, though the name stays, before it takes the new one")
  func renumbered() throws {
    let item = try fixture.reminder("Home", LiveAlarmFixture.alarm(.enter))
    let waypoints = PhoneWaypoints(store: fixture.store)
    _ = try #require(waypoints.command(for: "ann/phone", at: home, time(0), most: 20))
    try fixture.store.write { writer in _ = try writer.remove(item.id) }
    try fixture.reminder("Home", LiveAlarmFixture.alarm(.enter))
    let command = try #require(waypoints.command(for: "ann/phone", at: home, time(6), most: 20))
    let parts = command.split(separator: #"{"_type":"waypoint","#).dropFirst()
    #expect(parts.map { $0.contains(#""lat":-1000000"#) } == [true, false])
    #expect(parts.allSatisfy { $0.contains(#""desc":"Place""#) })
  }

  @Test("Of several alarms at one place, a phone keeps the number that it got, whichever of them changes")
  func steady() throws {
    var items: [CalendarItem] = []
    for title in ["One", "Two", "Three"] {
      items.append(try fixture.reminder(title, LiveAlarmFixture.alarm(.enter)))
    }
    let waypoints = PhoneWaypoints(store: fixture.store)
    let first = try #require(waypoints.command(for: "ann/phone", at: home, time(0), most: 20))
    #expect(first.contains(#""rid":"fencepost-1""#))
    for (number, var item) in items.enumerated() {
      item.title += " again"
      item.alarms.append(LiveAlarmFixture.alarm(.leave))
      try fixture.store.write { [item] writer in try writer.save(item) }
      #expect(waypoints.command(for: "ann/phone", at: home, time(Double(number) + 1), most: 20) == nil)
    }
  }

  @Test("A phone that repeats a position did not get the answer to it")
  func lostAnswer() throws {
    let item = try fixture.reminder("Home", LiveAlarmFixture.alarm(.enter))
    let waypoints = PhoneWaypoints(store: fixture.store)
    let command = try #require(waypoints.command(for: "ann/phone", at: home, time(1), most: 20))
    #expect(waypoints.command(for: "ann/phone", at: home, time(1), most: 20) == command)
    #expect(waypoints.command(for: "ann/phone", at: home, time(2), most: 20) == nil)
    // What the lost answer removed is removed again.
    try fixture.store.write { writer in _ = try writer.remove(item.id) }
    let removal = try #require(waypoints.command(for: "ann/phone", at: home, time(3), most: 20))
    #expect(waypoints.command(for: "ann/phone", at: home, time(3), most: 20) == removal)
    #expect(waypoints.command(for: "ann/phone", at: home, time(4), most: 20) == nil)
  }

  @Test(
    "Names do not command a phone",
    arguments: [
      ("Shop: Bread", "Shop Bread"), ("+1 Café", "1 Café"), ("-Home", "Home"), ("A|2|1", "A 2 1"),
      (":", "Place"),
    ])
  func names(title: String, name: String) throws {
    let place = StructuredLocation(title: title, coordinate: LiveAlarmFixture.home, radius: 100)
    try fixture.reminder("Home", Alarm(proximity: ProximityTrigger(.enter, at: place)))
    let command = PhoneWaypoints(store: fixture.store).command(for: "ann/phone", at: home, time(7), most: 20)
    #expect(try #require(command).contains("\"desc\":\"\(name)\""))
  }

  @Test(
    "Addresses contain the number of waypoints",
    arguments: ["http://127.0.0.1:0", "mqtt://localhost/owntracks/+/+"])
  func addresses(address: String) throws {
    switch try FeedAddress(address + "?waypoints=20") {
    case .http(let parts): #expect(parts.waypoints == 20)
    case .mqtt(let parts): #expect(parts.waypoints == 20)
    default: Issue.record("another kind")
    }
    #expect(throws: AddressError.self) { try FeedAddress(address + "?waypoints=101") }
    #expect(throws: AddressError.self) { try FeedAddress(address + "?waypoints=some") }
  }
}
