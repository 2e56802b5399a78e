import FencepostCalendarModel
import FencepostJSON
import FencepostSpatiotemporal
import Testing

@testable import FencepostReservations

@Suite("Repairs and rarer properties")
struct RepairTests {
  private func show(_ members: String, of booking: String = "") throws -> Reservation {
    try only(
      """
      {"@type":"EventReservation","reservationId":"E"\(booking),"reservationFor":{"@type":"Event","name":"Show",\(members)}}
      """)
  }

  @Test(
    "An end before the start is on the next day, or is left out and named",
    arguments: [
      ("2027-03-04T22:00", "2027-03-04T02:00", "2027-03-05T02:00:00", nil),
      ("2027-03-04T22:00", "2027-02-04T23:00", "2027-03-05T00:00:00", "2027-02-04 23:00"),
      ("2027-03-04T19:00", "2027-03-04T22:00", "2027-03-04T22:00:00", nil),
    ] as [(String, String, String, String?)])
  func ends(start: String, end: String, result: String, written: String?) throws {
    let event = try show("\"startDate\":\"\(start)\",\"endDate\":\"\(end)\"")
    #expect(event.end?.civil.description == result)
    #expect(event.details[.wrongEnd] == written)
    #expect(read(json: event.jsonLD.line) == [event])
  }

  @Test("A flight across the date line arrives before it leaves, by the clocks")
  func dateLine() throws {
    let flight = try only(
      """
      {"@type":"FlightReservation","reservationFor":{"flightNumber":"XA 1","departureAirport":"NRT",
      "arrivalAirport":"LAX","departureTime":"2027-03-04T17:00:00","arrivalTime":"2027-03-04T10:00:00"}}
      """)
    #expect(flight.end?.civil.description == "2027-03-04T10:00:00")
    #expect(flight.details[.wrongEnd] == nil)
  }

  @Test("A night train arrives on the next day, also by clocks of one zone")
  func night() throws {
    let flight = try only(
      MergeTests.flight(at: "2027-03-04T23:00:00").replacing(
        "\"departureTime\"", with: "\"arrivalTime\":\"2027-03-04T01:00:00\",\"departureTime\""))
    #expect(flight.end?.civil.description == "2027-03-05T01:00:00")
  }

  @Test("From 0:00 to 23:59 is whole days")
  func wholeDays() throws {
    let event = try show("\"startDate\":\"2027-03-04T00:00:00\",\"endDate\":\"2027-03-05T23:59:59\"")
    #expect(event.start?.isDay == true && event.end?.isDay == true)
    let item = event.event(in: Identifier(rawValue: ""), uid: "u", zones: zones)
    #expect(item?.event?.isAllDay == true)
    #expect(item?.event?.end.day == CivilDay(year: 2027, month: 3, day: 6))
  }

  @Test("Doors, sizes as values, and the company of a train are read")
  func properties() throws {
    let event = try show("\"startDate\":\"2027-03-04T19:30\",\"doorTime\":\"2027-03-04T18:30\"")
    #expect(event.details[.doors] == "18:30")
    #expect(read(json: event.jsonLD.line) == [event])
    let table = try only(
      """
      {"@type":"FoodEstablishmentReservation","startTime":"2027-03-04T19:00","partySize":{"@type":"QuantitativeValue",
      "value":4},"reservationFor":{"@type":"Restaurant","name":"Inn"}}
      """)
    #expect(table.partySize == 4)
    let train = try only(
      MergeTests.train().replacing(
        "\"departureTime\"", with: "\"trainCompany\":\"Example Rail\",\"departureTime\""))
    #expect(train.provider == "Example Rail")
  }

  @Test("The alarm to check in rings when check-in opens, by the clocks of the airport")
  func checkIn() throws {
    let flight = try only(MergeTests.flight(extra: "\"webCheckinTime\":\"2027-03-03T10:20:00\","))
    let item = flight.event(in: Identifier(rawValue: ""), uid: "u", zones: zones)
    let alarm = item?.alarms.first { $0.id.rawValue == "u#check-in" }
    #expect(alarm?.trigger == .absolute(try #require(Instant(rfc3339: "2027-03-03T09:20:00Z"))))
  }
}
