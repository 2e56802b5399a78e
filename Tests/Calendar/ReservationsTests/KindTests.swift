import FencepostCalendarModel
import FencepostGeodesy
import FencepostJSON
import FencepostSpatiotemporal
import Testing

@testable import FencepostReservations

@Suite("Kinds of reservations")
struct KindTests {
  @Test("A flight has airports with places, and times of their zones")
  func flight() throws {
    let flight = try only(Samples.flight)
    #expect(flight.kind == .flight)
    #expect(flight.status == .confirmed)
    #expect(flight.reference == "QX7K2M")
    #expect(flight.provider == "Example Air")
    #expect(flight.number == "XA 400")
    #expect(flight.travellers == ["Ada Byron"])
    #expect(flight.seats == ["12A"])
    #expect(flight.tickets == ["220-1234567890"])
    #expect(flight.place?.code == "FRA")
    #expect(flight.place?.name == "Frankfurt")
    #expect(flight.destination?.name == "John F Kennedy Airport")
    #expect((flight.destination?.coordinate?.latitude ?? 0).rounded() == 41)
    #expect(flight.start?.zone?.rawValue == "Europe/Berlin")
    #expect(flight.end?.zone?.rawValue == "America/New_York")
    #expect(flight.start?.civil.description == "2027-03-04T10:20:00")
    #expect(flight.boarding?.civil.description == "2027-03-04T09:40:00")
    #expect(flight.details[.gate] == "Z22")
    #expect(flight.details[.terminal] == "1")
    #expect(flight.people.first?.details[.boardingGroup] == "B")
    #expect(flight.links[.checkIn] == "https://air.example/checkin")
    #expect(flight.modified?.rfc3339() == "2027-01-10T08:00:00Z")
    #expect(flight.leg == "FRA-JFK")
  }

  @Test("A train keeps its offsets and gets the zones of its stations")
  func train() throws {
    let train = try only(Samples.train)
    #expect(train.kind == .train)
    #expect(train.number == "ICE 576")
    #expect(train.provider == "Example Rail")
    #expect(train.seats == ["Coach 23, 61"])
    #expect(train.place?.name == "Hamburg Hbf")
    #expect(train.start?.zone?.rawValue == "Europe/Berlin")
    #expect(train.start?.utcOffset == 3600)
    #expect(train.end?.zone?.rawValue == "Europe/Paris")
    #expect(train.details[.platform] == "14")
    #expect(train.leg == "hamburghbf-parisest")
  }

  @Test("A bus has the zones of its countries")
  func bus() throws {
    let bus = try only(Samples.bus)
    #expect(bus.kind == .bus)
    #expect(bus.number == "N34")
    #expect(bus.provider == "Example Coaches")
    #expect(bus.start?.zone?.rawValue == "Europe/Prague")
    #expect(bus.end?.zone?.rawValue == "Europe/Vienna")
  }

  @Test("A boat is on the clocks of both shores")
  func boat() throws {
    let boat = try only(Samples.boat)
    #expect(boat.kind == .boat)
    #expect(boat.start?.zone?.rawValue == "Europe/London")
    #expect(boat.end?.zone?.rawValue == "Europe/Paris")
    #expect(boat.provider == "Example Ferries")
  }

  @Test("A rented car has a company, two places and a vehicle")
  func car() throws {
    let car = try only(Samples.car)
    #expect(car.kind == .car)
    #expect(car.reference == "RC 77")
    #expect(car.title == "Example Cars")
    #expect(car.details[.vehicle] == "Examplemobile Compact")
    #expect(car.place?.address == "1500 Orange Avenue, 94000 San Jose, CA, US")
    #expect(car.destination?.name == "Example Cars, Downtown")
    #expect(car.start?.zone?.rawValue == "America/Los_Angeles")
    #expect(car.start?.utcOffset == -7 * 3600)
  }

  @Test("A hotel has both times, Google's spelling and a place with decimal commas")
  func hotel() throws {
    let hotel = try only(Samples.hotel)
    #expect(hotel.kind == .hotel)
    #expect(hotel.title == "Hotel Elbblick")
    #expect(hotel.partySize == 2)
    #expect(hotel.start?.civil.description == "2027-04-11T16:00:00")
    #expect(hotel.end?.civil.description == "2027-04-13T11:00:00")
    #expect(hotel.start?.zone?.rawValue == "Europe/Berlin")
    #expect(hotel.place?.coordinate == Coordinate(latitude: 53.5461, longitude: 9.9661))
    #expect(hotel.place?.address == "Hafenstraße 1, 20359 Hamburg, DE")
    #expect(hotel.details[.room] == "Double room")
    #expect(hotel.links[.page] == "https://hotel.example/b/H-1")
  }

  @Test("A table has an end that is a guess")
  func restaurant() throws {
    let table = try only(Samples.restaurant)
    #expect(table.kind == .restaurant)
    #expect(table.title == "Caffè Example")
    #expect(table.partySize == 4)
    #expect(table.place?.address == "1 Example Way, Cupertino, CA")
    #expect(table.isEndAssumed)
    #expect(table.end?.civil.description == "2027-06-15T21:30:00")
  }

  @Test("An event with tickets ends by its length, and has the zone of its country")
  func event() throws {
    let event = try only(Samples.event)
    #expect(event.kind == .event)
    #expect(!event.isOffer)
    #expect(event.title == "An Evening of Examples")
    #expect(event.tickets == ["T1", "T2"])
    #expect(event.seats == ["59", "510"] || event.seats == ["5 9", "5 10"])
    #expect(event.end?.civil.description == "2027-09-30T22:30:00")
    #expect(!event.isEndAssumed)
    #expect(event.place?.name == "Example Hall")
    // Portugal has the Azores too, so its clocks do not agree: the town decides.
    #expect(event.start?.zone?.rawValue == "Europe/Lisbon")
  }

  @Test("A taxi comes to a place; a plain event is an offer")
  func others() throws {
    let taxi = try only(Samples.taxi)
    #expect(taxi.kind == .taxi)
    #expect(taxi.start?.zone?.rawValue == "America/New_York")
    let fair = try only(Samples.plainEvent)
    #expect(fair.isOffer)
    #expect(fair.title == "Street Fair")
    #expect(fair.start?.isDay == true)
    #expect(fair.place?.name == "Market Square")
    #expect(fair.provider == "Example Town")
    // Beside something that was booked it is of no interest.
    #expect(read(json: "[\(Samples.plainEvent), \(Samples.taxi)]").map(\.kind) == [.taxi])
  }

  @Test("Both markups say the same", arguments: Samples.all)
  func microdata(json: String) throws {
    let items = JSONLD.items(in: Array(json.utf8))
    let page = items.map { "<p>Dear customer</p>" + html(.item($0), property: nil) }.joined()
    #expect(read(page: page) == read(json: json))
    #expect(read(page: Samples.page(json)) == read(json: json))
  }

  /// A value as Microdata: objects as nested elements, texts in the ways that pages use.
  private func html(_ value: MarkupItem.Value, property: String?) -> String {
    let name = property.map { " itemprop=\"\($0)\"" } ?? ""
    switch value {
    case .text(let text):
      if text.hasPrefix("http") { return "<link\(name) href=\"\(text)\">" }
      if text.hasPrefix("2027-") { return "<time\(name) datetime=\"\(text)\">soon</time>" }
      return text.count % 2 == 0
        ? "<meta\(name) content=\"\(text)\"/>" : "<span\(name)>\n <b>\(text)</b></span>"
    case .item(let item):
      let types = item.types.map { "http://schema.org/\($0)" }.joined(separator: " ")
      let inner = item.properties.sorted { $0.key < $1.key }.flatMap { name, values in
        values.map { html($0, property: name) }
      }
      return "<div\(name) itemscope itemtype=\"\(types)\">\(inner.joined(separator: "\n"))</div>"
    }
  }

  @Test("What is kept with an event reads back as the same reservation", arguments: Samples.all)
  func roundTrip(json: String) throws {
    let reservation = try only(json)
    #expect(try only(reservation.jsonLD.line) == reservation)
    let item = try #require(
      reservation.event(in: Identifier(rawValue: "c"), uid: "u", zones: zones))
    #expect(Reservation(keptBy: item, reader: reader) == reservation)
  }

  @Test(
    "A hotel without coordinates has the zone of its state, or of its town's airports",
    arguments: [
      (
        #""streetAddress":"1 Main St","addressLocality":"Peoria","addressRegion":"IL","addressCountry":"US""#,
        "America/Chicago"
      ),
      (#""addressLocality":"Ithaca","addressRegion":"New York","addressCountry":"USA""#, "America/New_York"),
      (#""streetAddress":"1 Main St, Hilo, HI 96720""#, "Pacific/Honolulu"),
      (#""addressLocality":"Phoenix","addressRegion":"AZ","addressCountry":"US""#, "America/Phoenix"),
      (#""addressLocality":"München""#, "Europe/Berlin"),
      // The state is divided, and the town has no airport.
      (#""addressLocality":"Paris","addressRegion":"TX","addressCountry":"US""#, nil),
      // Germany, and not Delaware.
      (#""streetAddress":"Hauptstraße 1, DE 10115""#, nil),
    ])
  func zoneOfTown(_ address: String, _ zone: String?) throws {
    let json = """
      {"@type":"LodgingReservation","reservationId":"H77","checkinTime":"2027-03-04T15:00:00",
      "checkoutTime":"2027-03-07T11:00:00","reservationFor":{"name":"Hotel Sample",
      "address":{"@type":"PostalAddress",\(address)}}}
      """
    let hotel = try #require(ReservationReader().reservations(inJSON: Array(json.utf8)).first)
    #expect(hotel.start?.zone?.rawValue == zone)
  }
}
