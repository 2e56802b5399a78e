import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeocoding
import FencepostGeodesy
import FencepostRecurrence
import FencepostReservations
import FencepostSpatiotemporal
import Testing

@testable import FencepostInterchange

@Suite("Places of bookings without coordinates")
struct BookingPlaceTests {
  private let store: CalendarStore
  private let resolver = TimeResolver(
    zones: TimeZoneDatabase(localTime: "/nonexistent", environmentZone: "UTC"))
  private let now = Instant(seconds: 1_800_000_000)
  private static let street = Coordinate(latitude: 40.7625, longitude: -73.9815)

  init() throws { store = try CalendarStore() }

  private func inbox(_ writer: borrowing StoreWriter) throws -> SuggestionInbox {
    try SuggestionInbox(writer.reader, resolver: resolver, alarms: ReservationAlarms(), at: now)
  }

  @discardableResult
  private func scan(_ json: String, day: Int = 1) throws -> [SuggestionInbox.Change] {
    let mail = """
      From: a@hotel.example
      Date: \(day) Dec 2026 12:00:00 +0000
      Message-ID: <\(day).\(json.utf8.count)@hotel.example>
      Content-Type: application/ld+json

      \(json)
      """
    let document = ReservationReader().scan(Array(mail.utf8))
    return try store.write { writer in try inbox(writer).take(document, in: writer) }
  }

  private func hotel(
    _ address: String = """
    "address":{"streetAddress":"151 W 54th St","addressLocality":"New York","postalCode":"10019",\
    "addressCountry":"US"}
    """, status: String = "Confirmed", room: String = "Double"
  ) -> String {
    """
    {"@type":"LodgingReservation","reservationId":"H77","reservationStatus":"\(status)",\
    "lodgingUnitDescription":"\(room)","checkinTime":"2027-03-04T15:00:00","checkoutTime":"2027-03-07T11:00:00",\
    "reservationFor":{"@type":"LodgingBusiness","name":"Hotel Sample"\(address.isEmpty ? "" : "," + address)}}
    """
  }

  /// Accepts what waits of a kind, with the answers of a server.
  private func accept(
    _ kind: String = "hotel", by search: BookingPlaces.Search?
  ) throws -> (event: CalendarItem, failure: String?) {
    let all = try store.read { try $0.suggestions() }
    let waiting = try #require(all.first { $0.state == .proposed && $0.kind == kind })
    let places = try BookingPlaces(of: [waiting.id], in: store, resolver: resolver, by: search)
    let answered = try store.write { writer in
      let inbox = try inbox(writer)
      inbox.places = places
      return try inbox.accept(
        waiting.id, into: { try $0.defaultCalendar(for: .events).id }, in: writer)
    }
    let id = try #require(answered.item)
    let event = try store.read { try $0.item(id) }
    return (try #require(event), places.failure)
  }

  private static func arrival(_ event: CalendarItem) -> ProximityTrigger? {
    event.alarms.first { $0.id.rawValue.hasSuffix("#arrival") }?.proximity
  }

  @Test(
    "A place lies in the country of the booking, where that is known",
    arguments: [
      ("US", ["GB", "US"], 1), ("US", ["GB"], nil), ("United States", ["GB", "US"], 1), ("US", [nil], 0),
      ("PR", ["US"], 0), ("HK", ["CN"], 0), ("Atlantis", ["GB"], 0),
    ] as [(String, [String?], Int?)])
  func country(written: String, found: [String?], chosen: Int?) throws {
    try scan(hotel().replacing("\"US\"", with: "\"\(written)\""))
    let (event, _) = try accept { _, _ in
      found.enumerated().map { index, code in
        var place = GeocodedPlace(
          coordinate: Coordinate(latitude: 40 + Double(index), longitude: -73.9815), radius: 20)
        place.address.countryCode = code
        return place
      }
    }
    #expect(event.structuredLocation?.coordinate?.latitude == chosen.map { 40 + Double($0) })
  }

  @Test("A zone that the booking has stays, whatever its place would say")
  func zone() throws {
    try scan(
      hotel().replacing(
        "\"2027-03-04T15:00:00\"",
        with: #"{"@type":"QDateTime","@value":"2027-03-04T15:00:00","timezone":"America/Chicago"}"#))
    let (event, _) = try accept { _, _ in [GeocodedPlace(coordinate: Self.street, radius: 20)] }
    #expect(event.start?.zone?.rawValue == "America/Chicago")
    #expect(event.structuredLocation?.coordinate != nil)
  }

  @Test("A hotel gets its position by its street, and so its alarm on arrival and its zone")
  func street() throws {
    try scan(hotel())
    var asked: [String] = []
    let (event, failure) = try accept { text, _ in
      asked.append(text)
      return [GeocodedPlace(coordinate: Self.street, radius: 40)]
    }
    #expect(failure == nil)
    #expect(asked == ["151 W 54th St, 10019 New York, US"])
    #expect(Self.arrival(event)?.location.coordinate == Self.street)
    #expect(event.start?.zone?.rawValue == "America/New_York")
  }

  @Test("What the server found stays when a later mail changes the booking")
  func laterMail() throws {
    try scan(hotel())
    _ = try accept { _, _ in [GeocodedPlace(coordinate: Self.street)] }
    try scan(hotel(room: "Suite"), day: 2)
    let (event, _) = try accept(by: nil)
    #expect(event.notes?.contains("Suite") == true)
    #expect(Self.arrival(event)?.location.coordinate == Self.street)
  }

  @Test("A server that fails is asked once, and the answer does without")
  func failure() throws {
    try scan(hotel())
    var questions = 0
    let (event, failure) = try accept { _, _ in
      questions += 1
      throw GeocodingProblem()
    }
    #expect(questions == 1)
    #expect(failure == "no answer")
    #expect(Self.arrival(event) == nil)
    // The airports of the town have one zone.
    #expect(event.start?.zone?.rawValue == "America/New_York")
  }

  private struct GeocodingProblem: Error, CustomStringConvertible { var description: String { "no answer" } }

  /// What a server answers about a hotel of which only the name is known.
  enum Answer: CaseIterable { case inRegion, far, town }

  @Test(
    "A name alone is a place in the region of the trip's other bookings, or none", arguments: Answer.allCases)
  func nameAlone(_ answer: Answer) throws {
    try scan(
      """
      {"@type":"FlightReservation","reservationId":"QX7K2M","reservationFor":{"flightNumber":"XA 400",\
      "departureAirport":"FRA","arrivalAirport":"JFK","departureTime":"2027-03-04T10:20:00",\
      "arrivalTime":"2027-03-04T13:00:00"}}
      """)
    try scan(hotel(""))
    var asked: [(String, Coordinate?)] = []
    let (event, _) = try accept { text, near in
      asked.append((text, near))
      return switch answer {
      case .inRegion: [GeocodedPlace(coordinate: Self.street, radius: 40)]
      case .far: [GeocodedPlace(coordinate: Coordinate(latitude: 48.1, longitude: 11.6), radius: 40)]
      case .town: [GeocodedPlace(coordinate: Self.street, radius: 30_000)]
      }
    }
    #expect(asked.map(\.0) == ["Hotel Sample"])
    let near = try #require(asked.first?.1)
    #expect(Geodesic.distance(from: near, to: Self.street) < 50_000)
    #expect((Self.arrival(event) != nil) == (answer == .inRegion))
  }

  @Test("Hotels of one name in two towns are two")
  func chain() throws {
    func hotel(_ id: String, _ place: String, _ day: Int) -> String {
      """
      {"@type":"LodgingReservation","reservationId":"\(id)","checkinTime":"2027-03-0\(day)T15:00:00",\
      "checkoutTime":"2027-03-0\(day + 1)T11:00:00","reservationFor":{"name":"Hotel Sample",\(place)}}
      """
    }
    let paris = #""geo":{"latitude":48.85,"longitude":2.35},"address":{"addressLocality":"Paris"}"#
    try scan(hotel("P1", paris, 1))
    try scan(hotel("B1", #""address":"Torstrasse 9, 10119 Berlin""#, 5))
    let berlin = try #require(try store.read { try $0.suggestions() }.first { $0.reference == "B1" })
    #expect(try BookingPlaces(of: [berlin.id], in: store, resolver: resolver, by: nil).bookings.isEmpty)
  }

  @Test("A place that another booking knows needs no server")
  func otherBooking() throws {
    func train(_ id: String, _ from: String, _ to: String, _ day: Int) -> String {
      """
      {"@type":"TrainReservation","reservationId":"\(id)","reservationFor":{"trainNumber":"ICE \(day)",\
      "departureStation":\(from),"arrivalStation":\(to),"departureTime":"2027-03-0\(day)T10:20:00+01:00",\
      "arrivalTime":"2027-03-0\(day)T12:20:00+01:00"}}
      """
    }
    let known = #"{"name":"Hamburg Hbf","geo":{"latitude":53.5528,"longitude":10.0067}}"#
    try scan(train("A1", #"{"name":"Berlin Hbf"}"#, known, 4))
    try scan(train("B2", #"{"name":"Hamburg Hbf"}"#, #"{"name":"Berlin Hbf"}"#, 6))
    let all = try store.read { try $0.suggestions() }
    let back = try #require(all.first { $0.reference == "B2" })
    let places = try BookingPlaces(of: [back.id], in: store, resolver: resolver, by: nil)
    #expect(places.bookings[back.id]?.place?.coordinate == Coordinate(latitude: 53.5528, longitude: 10.0067))
    #expect(places.bookings[back.id]?.destination?.coordinate == nil)
  }
}
