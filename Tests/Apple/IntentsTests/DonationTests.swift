import Contacts
import EventKit
import FencepostApps
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostInterchange
import FencepostRecurrence
import FencepostReservations
import FencepostTestSupport
import MapKit
import Testing

@testable import Intents

@Suite("Donations")
struct DonationTests {
  private let open: OpenStore
  private let donations: DonationStore

  init() throws {
    open = try OpenStore.at(.memory(UUID()))
    donations = DonationStore(open: open, app: AppIdentity(name: "org.example.Trips", title: "Trips"))
  }

  // MARK: Samples

  private static let mill = CLPlacemark(
    location: CLLocation(latitude: 52.52, longitude: 13.40), name: "The Mill",
    postalAddress: {
      let address = CNMutablePostalAddress()
      address.street = "Mühlenweg 1"
      address.postalCode = "10115"
      address.city = "Berlin"
      address.country = "Germany"
      address.isoCountryCode = "DE"
      return address
    }())
  private static let harbour = CLPlacemark(
    location: CLLocation(latitude: 53.54, longitude: 9.99), name: "Harbour", postalAddress: nil)

  fileprivate static func span(_ day: Int, _ hour: Int, hours: Int = 2) -> INDateComponentsRange {
    INDateComponentsRange(
      start: DateComponents(year: 2031, month: 3, day: day, hour: hour, minute: 15),
      end: DateComponents(year: 2031, month: 3, day: day, hour: hour + hours, minute: 15))
  }

  private static func reference(_ phrase: String) -> INSpeakableString {
    INSpeakableString(vocabularyIdentifier: "id-\(phrase)", spokenPhrase: phrase, pronunciationHint: nil)
  }

  private func restaurant(
    number: String? = "R1", day: Int = 4, status: INReservationStatus = .confirmed, url: String? = nil
  ) -> INReservation {
    INRestaurantReservation(
      itemReference: Self.reference("Dinner"), reservationNumber: number, reservationStatus: status,
      reservationHolderName: "Ada", url: url.flatMap { URL(string: $0) },
      reservationDuration: Self.span(day, 19), partySize: 4, restaurantLocation: Self.mill)
  }

  private func interaction(_ reservations: [INReservation], group: String? = nil) -> INInteraction {
    let intent = INGetReservationDetailsIntent(
      reservationContainerReference: Self.reference("Trip"),
      reservationItemReferences: reservations.map(\.itemReference))
    let response = INGetReservationDetailsIntentResponse(code: .success, userActivity: nil)
    response.reservations = reservations
    let interaction = INInteraction(intent: intent, response: response)
    interaction.groupIdentifier = group
    return interaction
  }

  private func suggestions() throws -> [Suggestion] { try open.store.read { try $0.suggestions() } }

  private func reservation(_ suggestion: Suggestion) throws -> Reservation {
    try #require(ReservationReader().reservations(inJSON: Array(suggestion.content.utf8)).first)
  }

  private func answer(_ body: (SuggestionInbox, borrowing StoreWriter) throws -> Void) throws {
    let inbox = try open.store.read {
      try SuggestionInbox(
        $0, resolver: TimeResolver(), alarms: ReservationAlarms(), at: .epoch)
    }
    try open.store.write { try body(inbox, $0) }
  }

  private func accept() throws -> CalendarItem {
    let id = try #require(try suggestions().first { $0.state == .proposed }?.id)
    try answer { inbox, writer in
      _ = try inbox.accept(id, into: { try $0.defaultCalendar(for: .events).id }, in: writer)
    }
    return try event()
  }

  private func event() throws -> CalendarItem {
    let item = try #require(try suggestions().compactMap(\.item).first)
    return try #require(try open.store.read { try $0.item(item) })
  }

  // MARK: Tests

  @Test("Each of the eight kinds becomes a suggestion with its times, places and seat")
  func kinds() throws {
    let reference = Self.reference
    let seat = INSeat(seatSection: "7", seatRow: "12", seatNumber: "A", seatingType: "Window")
    let gate = { (code: String, gate: String?) in
      INAirportGate(airport: INAirport(name: nil, iataCode: code, icaoCode: nil), terminal: "1", gate: gate)
    }
    let checkIn = NSUserActivity(activityType: "check-in")
    checkIn.webpageURL = URL(string: "https://air.example/check-in")
    let all: [INReservation] = [
      restaurant(),
      INLodgingReservation(
        itemReference: reference("Inn"), reservationNumber: "H1", reservationStatus: .pending,
        lodgingBusinessLocation: Self.mill,
        reservationDuration: INDateComponentsRange(
          start: DateComponents(year: 2031, month: 3, day: 4),
          end: DateComponents(year: 2031, month: 3, day: 6)),
        numberOfAdults: 2, numberOfChildren: 1),
      INFlightReservation(
        itemReference: reference("Flight"), reservationNumber: "F1", reservationStatus: .confirmed,
        actions: [
          INReservationAction(type: .checkIn, validDuration: Self.span(4, 8), userActivity: checkIn)
        ], reservedSeat: seat,
        flight: INFlight(
          airline: INAirline(name: "Example Air", iataCode: "XA", icaoCode: nil), flightNumber: "400",
          boardingTime: Self.span(5, 9, hours: 1), flightDuration: Self.span(5, 10),
          departureAirportGate: gate("FRA", "Z22"), arrivalAirportGate: gate("JFK", nil))),
      INTrainReservation(
        itemReference: reference("Train"), reservationNumber: "T1", reservationStatus: .confirmed,
        reservedSeat: seat,
        trainTrip: INTrainTrip(
          provider: "Rail", trainName: nil, trainNumber: "ICE 5", tripDuration: Self.span(6, 7),
          departureStationLocation: Self.mill, departurePlatform: "8",
          arrivalStationLocation: Self.harbour, arrivalPlatform: nil)),
      INBusReservation(
        itemReference: reference("Bus"), reservationNumber: "B1", reservationStatus: .confirmed,
        reservedSeat: nil,
        busTrip: INBusTrip(
          provider: "Coaches", busName: nil, busNumber: "12", tripDuration: Self.span(7, 7),
          departureBusStopLocation: Self.mill, departurePlatform: nil, arrivalBusStopLocation: Self.harbour,
          arrivalPlatform: "2")),
      INBoatReservation(
        itemReference: reference("Boat"), reservationNumber: "S1", reservationStatus: .confirmed,
        reservedSeat: nil,
        boatTrip: INBoatTrip(
          provider: "Ferries", boatName: "Gull", boatNumber: nil, tripDuration: Self.span(8, 7),
          departureBoatTerminalLocation: Self.harbour, arrivalBoatTerminalLocation: Self.mill)),
      INRentalCarReservation(
        itemReference: reference("Car"), reservationNumber: "C1", reservationStatus: .confirmed,
        rentalCar: INRentalCar(
          rentalCompanyName: "Cars", type: "Compact", make: "Make", model: "One", rentalCarDescription: nil),
        rentalDuration: Self.span(9, 7), pickupLocation: Self.mill, dropOffLocation: Self.harbour),
      INTicketedEventReservation(
        itemReference: reference("Film"), reservationNumber: "E1", reservationStatus: .hold,
        reservedSeat: seat,
        event: INTicketedEvent(
          category: .movie, name: "Film", eventDuration: Self.span(10, 20), location: Self.mill)),
    ]
    try donations.donate(interaction(all))
    var found: [String: Reservation] = [:]
    for suggestion in try suggestions() {
      #expect(suggestion.app == "org.example.Trips")
      found[suggestion.kind] = try reservation(suggestion)
    }
    #expect(
      found.keys.sorted() == ["boat", "bus", "car", "event", "flight", "hotel", "restaurant", "train"])
    #expect(found["restaurant"]?.partySize == 4)
    #expect(found["restaurant"]?.provider == "Trips")
    #expect(found["restaurant"]?.start?.zone?.rawValue == "Europe/Berlin")
    #expect(found["restaurant"]?.place?.address == "Mühlenweg 1, 10115 Berlin, Germany")
    #expect(found["hotel"]?.start?.isDay == true)
    #expect(found["hotel"]?.status == .pending)
    #expect(found["hotel"]?.partySize == 3)
    let flight = try #require(found["flight"])
    #expect(flight.number == "XA 400")
    #expect(flight.seats == ["7, 12A"])
    #expect(flight.start?.zone?.rawValue == "Europe/Berlin")
    #expect(flight.end?.zone?.rawValue == "America/New_York")
    #expect(flight.details[.gate] == "Z22")
    #expect(flight.links[.checkIn] == "https://air.example/check-in")
    #expect(flight.checkIn?.civil.description == "2031-03-04T08:15:00")
    #expect(found["train"]?.number == "ICE 5")
    #expect(found["train"]?.details[.platform] == "8")
    #expect(found["bus"]?.destination?.name == "Harbour")
    #expect(found["boat"]?.number == "Gull")
    #expect(found["car"]?.details[.vehicle] == "Make One")
    #expect(found["car"]?.destination?.name == "Harbour")
    #expect(found["event"]?.status == .hold)
  }

  @Test("Times with a zone are that moment, and those with a fixed offset too")
  func zones() {
    let terms = BookingTerms(resolver: TimeResolver())
    func text(_ zone: TimeZone?) -> String? {
      let time = terms.time(
        DateComponents(timeZone: zone, year: 2031, month: 7, day: 4, hour: 12))
      return time.map { "\($0.civil) \($0.utcOffset.map(String.init) ?? "-") \($0.zone?.rawValue ?? "-")" }
    }
    #expect(text(nil) == "2031-07-04T12:00:00 - -")
    #expect(text(TimeZone(identifier: "America/New_York")) == "2031-07-04T12:00:00 -14400 America/New_York")
    #expect(text(TimeZone(secondsFromGMT: 7200)) == "2031-07-04T12:00:00 7200 -")
    #expect(text(TimeZone(secondsFromGMT: 0)) == "2031-07-04T12:00:00 0 -")
    #expect(terms.time(DateComponents(hour: 3)) == nil)
    #expect(terms.time(nil) == nil)
  }

  @Test(
    "The same number again updates the suggestion, and the event that was accepted, and cancels it; the user's title stays"
  )
  func updates() throws {
    try donations.donate(interaction([restaurant()]))
    try donations.donate(interaction([restaurant(day: 5)]))
    #expect(try suggestions().count == 1)
    #expect(try accept().start?.day.description == "2031-03-05")
    var item = try event()
    item.title = "Mine"
    try open.store.write { [item] in try $0.save(item) }
    try donations.donate(interaction([restaurant(day: 6)]))
    #expect(try event().start?.day.description == "2031-03-06")
    #expect(try event().title == "Mine")
    // And back: what an app says last is true.
    try donations.donate(interaction([restaurant(day: 5)]))
    #expect(try event().start?.day.description == "2031-03-05")
    try donations.donate(interaction([restaurant(day: 5, status: .canceled)]))
    #expect(try event().event?.status == .cancelled)
    #expect(try suggestions().map(\.state) == [.cancelled, .superseded, .superseded, .superseded])
  }

  @Test("A reservation without a number is known by its reference; another app's update waits for an answer")
  func identity() throws {
    try donations.donate(interaction([restaurant(number: nil)]))
    #expect(try suggestions().first?.reference == "id-Dinner")
    try donations.donate(interaction([restaurant(number: nil, day: 6)]))
    #expect(try suggestions().count == 1)
    _ = try accept()
    let other = DonationStore(open: open, app: AppIdentity(name: "other", title: "Trips"))
    try other.donate(interaction([restaurant(number: nil, day: 7)]))
    #expect(try event().start?.day.description == "2031-03-06")
    #expect(try suggestions().map(\.state) == [.proposed, .accepted])
  }

  @Test("What makes no event is refused, with all others of its interaction")
  func refusals() throws {
    let bad = INRestaurantReservation(
      itemReference: Self.reference("Never"), reservationStatus: .confirmed,
      reservationDuration: INDateComponentsRange(start: nil, end: nil), restaurantLocation: Self.mill)
    #expect(throws: InterchangeError.self) { try donations.donate(interaction([restaurant(), bad])) }
    #expect(try suggestions().isEmpty)
    try donations.donate(INInteraction(intent: INIntent(), response: nil))
    #expect(try suggestions().isEmpty)
  }

  @Test("A donation without access waits in the inbox of the user's store, and a second one cancels it")
  func withoutAccess() async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = directory.path("store.sqlite") as String] in
      setenv("FENCEPOST_STORE", path, 1)
      func donate(_ status: INReservationStatus) async throws {
        let address = CNMutablePostalAddress()
        address.city = "Lisbon"
        let table = INSpeakableString(
          vocabularyIdentifier: "table-7", spokenPhrase: "Lunch at the Quay", pronunciationHint: nil)
        let place = MKPlacemark(
          coordinate: CLLocationCoordinate2D(latitude: 38.71, longitude: -9.14), postalAddress: address)
        let booked = INRestaurantReservation(
          itemReference: table, reservationStatus: status, reservationHolderName: "Ada",
          reservationDuration: DonationTests.span(4, 12), restaurantLocation: place)
        let response = INGetReservationDetailsIntentResponse(code: .success, userActivity: nil)
        response.reservations = [booked]
        let intent = INGetReservationDetailsIntent(reservationContainerReference: table)
        try await INInteraction(intent: intent, response: response).donate()
      }
      let store = try OpenStore.at(.standard).store
      try await donate(.confirmed)
      let first = try store.read { try $0.suggestions() }
      try #require(first.map(\.state) == [.proposed])
      try #require(first.map(\.title) == ["Lunch at the Quay"])
      try #require(first.first?.start?.zone?.rawValue == "Europe/Lisbon")
      try #require(EKEventStore.authorizationStatus(for: .event) == .notDetermined)
      try await donate(.canceled)
      let second = try store.read { try $0.suggestions() }
      try #require(second.map(\.state) == [.cancelled])
      try #require(second.map(\.id) == first.map(\.id))
    }
  }

  @Test("Deleting takes back what waits, by identifier, by group or all, and leaves what was accepted")
  func deleting() throws {
    let first = interaction([restaurant()])
    let second = interaction([restaurant(number: "R2", day: 9)], group: "g")
    let third = interaction([restaurant(number: "R3", day: 11)])
    for interaction in [first, second, third] { try donations.donate(interaction) }
    let other = DonationStore(open: open, app: AppIdentity(name: "other"))
    try other.withdraw(.all)
    #expect(try suggestions().count == 3)
    try donations.withdraw(.identifiers([first.identifier, "unknown"]))
    #expect(try suggestions().map(\.reference) == ["R3", "R2"])
    try donations.withdraw(.group("g"))
    #expect(try suggestions().map(\.reference) == ["R3"])
    let item = try accept()
    try donations.withdraw(.all)
    #expect(try open.store.read { try $0.item(item.id) } != nil)
    #expect(try suggestions().map(\.state) == [.accepted])
  }

  @Test("What the app gets when somebody opens the reservation is the intent")
  func launching() throws {
    try donations.donate(interaction([restaurant(url: "https://table.example/r/1")]))
    let item = try accept()
    #expect(item.url == "https://table.example/r/1")
    let donation = try #require(try open.store.read { try $0.donation(of: item.id) })
    #expect(donation.app == "org.example.Trips")
    let activity = try #require(NSUserActivity.launching(with: donation.intent))
    #expect(activity.activityType == "INGetReservationDetailsIntent")
    #expect(activity.webpageURL?.absoluteString == "https://table.example/r/1")
    let intent = try #require(activity.interaction?.intent as? INGetReservationDetailsIntent)
    #expect(intent.reservationContainerReference == Self.reference("Trip"))
    #expect(intent.reservationItemReferences == [Self.reference("Dinner")])
    #expect(NSUserActivity.launching(with: "{}") == nil)
    #expect(NSUserActivity.launching(with: "[") == nil)
  }
}
