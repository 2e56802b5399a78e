import FencepostCalendarModel
import FencepostGeodesy
import FencepostRecurrence
import FencepostSpatiotemporal
import Testing

@testable import FencepostReservations

@Suite("Events of reservations")
struct EventTests {
  private func item(_ json: String) throws -> CalendarItem {
    let item = try only(json).event(in: Identifier(rawValue: "trips"), uid: "u1", zones: zones)
    return try #require(item)
  }

  @Test(
    "Each kind has its title, times and place",
    arguments: [
      (
        Samples.flight, "Flight XA 400 Frankfurt am Main – New York",
        "zoned 2027-03-04T10:20:00 Europe/Berlin", "Frankfurt"
      ),
      (
        Samples.train, "ICE 576 Hamburg Hbf – Paris Est", "zoned 2027-03-28T01:30:00 Europe/Berlin",
        "Hamburg Hbf"
      ),
      (
        Samples.bus, "N34 Praha, ÚAN Florenc – Wien Erdberg", "zoned 2027-05-01T08:00:00 Europe/Prague",
        "Praha, ÚAN Florenc"
      ),
      (Samples.boat, "Boat Dover – Calais", "zoned 2027-06-05T09:25:00 Europe/London", "Dover"),
      (
        Samples.car, "Rental car: Example Cars", "zoned 2027-08-05T16:00:00 America/Los_Angeles",
        "Example Cars, Airport"
      ),
      (Samples.hotel, "Hotel: Hotel Elbblick", "zoned 2027-04-11T16:00:00 Europe/Berlin", "Hotel Elbblick"),
      (Samples.restaurant, "Table at Caffè Example", "utc 2027-06-16T02:30:00", "Caffè Example"),
      (Samples.event, "An Evening of Examples", "zoned 2027-09-30T19:30:00 Europe/Lisbon", "Example Hall"),
      (
        Samples.taxi, "Taxi Example Cabs 1 Main Street", "zoned 2027-02-02T06:30:00 America/New_York",
        "1 Main Street"
      ),
      (Samples.plainEvent, "Street Fair", "date 2027-07-01", "Market Square"),
    ])
  func events(json: String, title: String, start: String, place: String) throws {
    let item = try item(json)
    #expect(item.title == title)
    #expect(item.structuredLocation?.title == place)
    let text =
      switch try #require(item.start) {
      case .date(let day): "date \(day)"
      case .floating(let time): "floating \(time)"
      case .utc(let time): "utc \(time)"
      case .zoned(let time, let zone): "zoned \(time) \(zone.rawValue)"
      }
    #expect(text == start)
    #expect(item.event?.status == .confirmed)
  }

  @Test("A flight has its end on the other clock, a fence at the airport, a reference and its alarms")
  func flight() throws {
    let flight = try item(Samples.flight)
    #expect(
      flight.event?.end
        == .zoned(
          CivilDateTime(year: 2027, month: 3, day: 4, hour: 13, minute: 5),
          TimeZoneID(rawValue: "America/New_York")))
    #expect(flight.structuredLocation?.coordinate != nil)
    #expect(flight.structuredLocation?.radius == 2_000)
    let notes = try #require(flight.notes)
    for part in ["Reference: QX7K2M", "Seat: 12A", "Gate: Z22", "Boarding: 09:40", "For: Ada Byron"] {
      #expect(notes.contains(part))
    }
    #expect(flight.alarms.map(\.id.rawValue) == ["u1#check-in", "u1#before-10800"])
    #expect(
      flight.alarms.map(\.trigger) == [
        .relative(CalendarDuration(seconds: -86_400), to: .start),
        .relative(CalendarDuration(seconds: -10_800), to: .start),
      ])
  }

  @Test("The alarm to leave comes before the start by the way, and by the time ahead that the kind needs")
  func leaving() throws {
    // Mainz, 25 km from the airport: 38 minutes at 40 km/h, 10 for parking, and 90 minutes at the airport.
    let mainz = Coordinate(latitude: 49.99, longitude: 8.25)
    func offset(_ json: String, _ position: Coordinate?, _ travel: TravelEstimate? = TravelEstimate()) throws
      -> String?
    {
      var alarms = ReservationAlarms()
      alarms.travel = travel
      let item = try only(json).event(
        in: Identifier(rawValue: "trips"), uid: "u1", zones: zones, alarms: alarms, from: position)
      guard let alarm = item?.alarms.first(where: { $0.id.rawValue == "u1#leave" }) else { return nil }
      guard case .relative(let duration, to: .start) = alarm.trigger else { return "not relative" }
      return "\(duration.nominalSeconds) \(alarm.message ?? "")"
    }
    #expect(try offset(Samples.flight, mainz) == "-8100 Time to leave: about 45 min to Frankfurt")
    #expect(
      try offset(Samples.flight, mainz, TravelEstimate(speed: 20))
        == "-7200 Time to leave: about 30 min to Frankfurt")
    #expect(try offset(Samples.flight, mainz, nil) == nil)
    #expect(try offset(Samples.flight, nil) == nil)
    // At the airport, or on another continent.
    #expect(try offset(Samples.flight, Coordinate(latitude: 50.0365, longitude: 8.5613)) == nil)
    #expect(try offset(Samples.flight, Coordinate(latitude: 40.6, longitude: -73.8)) == nil)
    #expect(try offset(Samples.flight, Coordinate(latitude: .nan, longitude: 8)) == nil)
    // A stay has no hour to be there.
    #expect(try offset(Samples.hotel, Coordinate(latitude: 53.5, longitude: 9.9)) == nil)
  }

  @Test("A hotel rings on arrival with the reference, and does not take the time")
  func hotel() throws {
    let hotel = try item(Samples.hotel)
    #expect(hotel.event?.availability == .free)
    let alarm = try #require(hotel.alarms.first)
    #expect(hotel.alarms.count == 1)
    #expect(alarm.proximity?.event == .enter)
    #expect(alarm.message == "Hotel Elbblick, your reference: H-1")
    #expect(alarm.proximity?.window?.firstDay == CivilDay(year: 2027, month: 4, day: 11))
    let days = try item(MergeTests.hotel())
    #expect(days.event?.isAllDay == true)
    #expect(days.event?.end == .date(CivilDay(year: 2027, month: 3, day: 7)))
  }

  @Test("A ticket with a barcode is offered on arrival where it begins, and not without one")
  func ticket() throws {
    func offer(_ json: String, _ alarms: ReservationAlarms = ReservationAlarms()) throws -> Alarm? {
      let item = try only(json).event(
        in: Identifier(rawValue: "trips"), uid: "u1", zones: zones, alarms: alarms)
      return item?.alarms.first { ReservationAlarms.isTicket($0.id) }
    }
    #expect(try offer(Samples.train) == nil)
    let train = Samples.train.replacing(
      "\"reservedTicket\": {", with: "\"reservedTicket\": {\"ticketToken\": \"aztecCode:ABC\", ")
    let alarm = try #require(try offer(train))
    #expect(alarm.message == "Your ticket: ICE 576 Hamburg Hbf – Paris Est, seat Coach 23, 61")
    #expect(alarm.proximity?.event == .enter && alarm.trigger == .none)
    // Half past one at night: one is there the evening before.
    #expect(alarm.proximity?.window?.firstDay == CivilDay(year: 2027, month: 3, day: 27))
    #expect(alarm.proximity?.window?.lastDay == CivilDay(year: 2027, month: 3, day: 28))
    var none = ReservationAlarms()
    none.offersTicket = false
    #expect(try offer(train, none) == nil)
    #expect(try offer(train.replacing("geo", with: "nogeo")) == nil)
  }

  @Test("Notes name floating times and guesses; what is cancelled is silent")
  func marks() throws {
    let floating = Samples.event.replacing("Lisbon", with: "Nowhere")
    #expect(try item(floating).notes?.contains("local to the place") == true)
    #expect(try item(Samples.restaurant).notes?.contains("The end is a guess.") == true)
    let cancelled = try item(Samples.flight.replacing("http://schema.org/Confirmed", with: "Cancelled"))
    #expect(cancelled.isSilenced)
    #expect(
      try item(Samples.taxi.replacing("http://schema.org/Confirmed", with: "Hold")).event?.status
        == .tentative)
  }

  @Test("The airports have zones that the system knows, and places")
  func airports() {
    #expect(Airport.table.count == 1_213)
    for airport in Airport.table.values {
      #expect(zones.zone(airport.zone) != nil, "\(airport.code)")
      #expect(airport.coordinate.isValid && !airport.name.isEmpty && !airport.city.isEmpty, "\(airport.code)")
    }
  }

  @Test(
    "Zones follow from coordinates and countries",
    arguments: [
      (48.58, 7.75, nil, "Europe/Paris"), (40.4, -3.7, "Spain", "Europe/Madrid"),
      (28.1, -15.4, nil, "Atlantic/Canary"),
      (30.27, -97.74, "US", "America/Chicago"), (-33.9, 151.2, nil, "Australia/Sydney"),
      (35.7, 139.7, "JP", "Asia/Tokyo"),
    ] as [(Double, Double, String?, String)])
  func zoneOfPlace(latitude: Double, longitude: Double, country: String?, zone: String) {
    var place = ReservationPlace(country: country)
    place.coordinate = Coordinate(latitude: latitude, longitude: longitude)
    let time = ReservationTime(CivilDateTime(year: 2027, month: 6, day: 1))
    #expect(ZoneFinder(zones: zones).zone(of: place, at: time)?.rawValue == zone)
  }
}
