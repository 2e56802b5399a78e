import EventKit
import FencepostApps
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostTestSupport
import Testing

@testable import EventKit

@Suite("Named places")
struct PlaceTests {
  private static let gate = Coordinate(latitude: 52.5163, longitude: 13.3777)

  private func session(_ path: String) -> StoreSession {
    StoreSession(location: .file(path), app: AppIdentity(name: "app", keys: []))
  }

  @Test("An app's geocoder finds named places and places of items, in any case")
  func geocoder() async throws {
    // The names are unique to this test, because geocoders search all stores of the process.
    let bench = try await Bench()
    let name = "Gate \(UUID().uuidString)"
    try bench.model.write {
      try $0.saveNamedPlace(StructuredLocation(title: name, coordinate: Self.gate, radius: 80))
    }
    let reminder = bench.reminder("Bread")
    let alarm = EKAlarm()
    alarm.proximity = .enter
    alarm.structuredLocation = EKStructuredLocation(title: "B\u{e4}ckerei \(name)")
    alarm.structuredLocation?.geoLocation = CLLocation(latitude: 52.6, longitude: 13.5)
    reminder.addAlarm(alarm)
    try bench.store.save(reminder, commit: true)
    let geocoder = CLGeocoder()
    let named = try await geocoder.geocodeAddressString(" \(name.uppercased())")
    #expect(named.map(\.name) == [name])
    #expect(named.first?.location?.coordinate.latitude == Self.gate.latitude)
    #expect((named.first?.region as? CLCircularRegion)?.radius == 80)
    let ofItem = try await geocoder.geocodeAddressString("b\u{e4}ckerei \(name)")
    #expect(ofItem.map { $0.location?.coordinate.latitude } == [52.6])
    let there = try await geocoder.reverseGeocodeLocation(
      CLLocation(latitude: Self.gate.latitude, longitude: Self.gate.longitude))
    #expect(there.contains { $0.name == name })
  }

  @Test("A store only gives an app places that it may read")
  func access() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    let bench = try await Bench(path: path)
    try bench.model.write {
      try $0.saveNamedPlace(StructuredLocation(title: "Home", coordinate: Self.gate))
    }
    let event = try bench.event("Party", "2026-11-21T20:00", "2026-11-21T23:00")
    event.structuredLocation = EKStructuredLocation(title: "Club")
    event.structuredLocation?.geoLocation = CLLocation(latitude: 52.6, longitude: 13.5)
    try bench.store.save(event, span: .thisEvent)
    #expect(bench.session.places(named: "home").map(\.name) == ["Home"])
    #expect(bench.session.places(named: "Club").map(\.radius) == [StructuredLocation.defaultRadius])
    let stranger = session(path)
    #expect(stranger.places(named: "Home").isEmpty && stranger.places(at: Self.gate).isEmpty)
    let store = EKEventStore(session: stranger)
    #expect(try await store.requestFullAccessToReminders())
    #expect(stranger.places(named: "Home").map(\.name) == ["Home"])
    #expect(stranger.places(named: "Club").isEmpty)
  }

  @Test("Devices see an alarm anew if an app moves it, and only then")
  func newFences() async throws {
    let bench = try await Bench()
    let reminder = bench.reminder("Bread")
    let alarm = EKAlarm()
    alarm.proximity = .enter
    alarm.structuredLocation = EKStructuredLocation(title: "Bakery")
    alarm.structuredLocation?.geoLocation = CLLocation(latitude: 52.6, longitude: 13.5)
    reminder.addAlarm(alarm)
    func saved() throws -> Int64 {
      try bench.store.save(reminder, commit: true)
      var numbers: [Int64] = []
      try bench.model.read { try $0.forEachFence { numbers.append($0.number) } }
      #expect(numbers.count == 1)
      return numbers.first ?? 0
    }
    let first = try saved()
    reminder.title = "Rye bread"
    #expect(try saved() == first)
    reminder.alarms?.first?.structuredLocation?.geoLocation = CLLocation(latitude: 52.7, longitude: 13.5)
    #expect(try saved() > first)
  }
}
