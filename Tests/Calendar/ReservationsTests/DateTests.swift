import FencepostCalendarModel
import FencepostJSON
import FencepostSpatiotemporal
import Testing

@testable import FencepostReservations

@Suite("Dates as people write them")
struct DateTests {
  @Test(
    "Words, other orders, short years, mails' dates and epoch numbers are read",
    arguments: [
      ("5 Jun 2027 18:35", "2027-06-05T18:35:00"), ("June 5th, 2027 at 6:35 PM", "2027-06-05T18:35:00"),
      ("Sat, 5 Jun 2027 18:35:10 +0200", "2027-06-05T18:35:10+02:00"),
      ("Sat, 05 Jun 2027 18:35:10 GMT (summer)", "2027-06-05T18:35:10Z"),
      ("05JUN27", "2027-06-05"), ("5Jun27", "2027-06-05"), ("25.06.2027 8:05 Uhr", "2027-06-25T08:05:00"),
      ("05.06.27", "2027-06-05"), ("2027-6-5", "2027-06-05"),
      ("2027/06/05 7:05-4:00", "2027-06-05T07:05:00-04:00"),
      ("6/25/2027 12:10 am", "2027-06-25T00:10:00"), ("25-06-2027 12:10 pm", "2027-06-25T12:10:00"),
      ("18:35, 5 June 2027", "2027-06-05T18:35:00"), ("05-06-2027", "2027-06-05"),
      ("1812364500", "2027-06-07T10:35:00Z"), ("1812364500000", "2027-06-07T10:35:00Z"),
      ("31 Jun 2027", nil), ("5 Jun", nil), ("5 6 7 8", nil), ("13/13/2027", nil), ("May I", nil),
      ("12:30", nil),
      ("99999999999999999999 Jun 2027", nil), ("+ - / , . :", nil), ("Jun Jun Jun", nil), ("181236450", nil),
    ] as [(String, String?)])
  func times(text: String, expected: String?) {
    #expect(ReservationTime(text)?.text == expected)
  }

  private func flight(_ number: Int, _ start: String) -> String {
    #"""
    {"@type": "FlightReservation", "reservationNumber": "D8", "reservationFor": {"@type": "Flight", "flightNumber": "XA\#(number)",
     "departureAirport": "FRA", "arrivalAirport": "JFK", "departureTime": "\#(start)"}}
    """#
  }

  private func days(_ first: String, _ second: String, language: String = "") -> [String?] {
    let json = "[\(flight(1, first)),\(flight(2, second))]"
    return read(page: "<html lang='\(language)'>" + Samples.page(json)).map { $0.start?.text }
  }

  @Test("Another date of the document tells which number is the day")
  func evidence() {
    #expect(days("03/04/2027 10:00", "03/25/2027 10:00") == ["2027-03-04T10:00:00", "2027-03-25T10:00:00"])
    #expect(days("03/04/2027 10:00", "25/04/2027 10:00") == ["2027-04-03T10:00:00", "2027-04-25T10:00:00"])
  }

  @Test("Otherwise the page's language tells")
  func language() {
    #expect(days("03/04/2027", "03/09/2027", language: "en-US") == ["2027-03-04", "2027-03-09"])
    #expect(days("03/04/2027", "03/09/2027", language: "en-GB") == ["2027-04-03", "2027-09-03"])
    #expect(days("03/04/2027", "03/09/2027", language: "de") == ["2027-04-03", "2027-09-03"])
  }

  @Test("Otherwise the dates are taken to be close together, and the event says that this is a guess")
  func guess() throws {
    let found = reader.reservations(
      inJSON: Array("[\(flight(1, "02-02-2027 18:35")),\(flight(2, "02-04-2027 20:40"))]".utf8))
    #expect(found.map { $0.start?.civil.day.description } == ["2027-02-02", "2027-02-04"])
    #expect(found.map { $0.start?.isDayGuess } == [false, true])
    let second = try #require(found.last)
    #expect(try only(second.jsonLD.line) == second)
    let event = try #require(second.event(in: Identifier(rawValue: "c"), uid: "u", zones: zones))
    #expect(event.notes?.contains("Day and month may be the other way round.") ?? false)
    let alone = try only(flight(3, "03/04/2027 10:00"))
    #expect(alone.start?.civil.day.description == "2027-04-03")
    #expect(alone.start?.isDayGuess == true)
  }
}
