import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostJSON
import FencepostWebServer
import Testing

@testable import FencepostWebApp

@Suite("Trips over the API")
struct TripAPITests {
  let fixture: WebAppFixture
  init() throws { fixture = try WebAppFixture() }

  private static let bookings = [
    """
    {"@type":"LodgingReservation","reservationId":"H1","checkinTime":"2026-05-04","checkoutTime":"2026-05-07",
    "reservationFor":{"@type":"Hotel","name":"Inn","address":{"addressLocality":"Munich"}}}
    """,
    """
    {"@type":"FoodEstablishmentReservation","reservationId":"R1","startTime":"2026-05-05T19:00:00+02:00","partySize":2,
    "reservationFor":{"@type":"FoodEstablishment","name":"Bistro","address":{"addressLocality":"Munich"}}}
    """,
  ]

  /// Finds the bookings, and accepts them: the identifiers of their events.
  private func accept(into list: String) throws -> [String] {
    try Self.bookings.map { content in
      let suggestion = Suggestion(kind: "hotel", title: "Booking", content: content, found: fixture.now)
      try fixture.store.write { try $0.save(suggestion) }
      let answer = try fixture.json(
        "POST", "/suggestions/\(suggestion.id)/accept", #"{"list_id":"\#(list)"}"#)
      #expect(answer["state"]?.text == "accepted")
      return try fixture.store.read { try $0.suggestion(suggestion.id)?.item?.rawValue ?? "" }
    }
  }

  @Test("Accepted bookings that belong together are a trip, on each day of it")
  func trips() throws {
    let list = try fixture.json("POST", "/lists", #"{"title":"Trips","events":true}"#)["id"]?.text ?? ""
    #expect(try fixture.ask("GET", "/trips").contains(#"{"trips":[]}"#))
    let items = try accept(into: list)
    for span in ["", "?from=2026-05-07&to=2026-05-20", "?from=2026-04-01&to=2026-05-04"] {
      let trips = try fixture.json("GET", "/trips\(span)")["trips"]?.list ?? []
      try #require(trips.count == 1, "\(span)")
      #expect(trips[0]["title"]?.text == "Trip to Munich" && trips[0]["place"]?.text == "Munich")
      #expect(trips[0]["from"]?.text == "2026-05-04" && trips[0]["to"]?.text == "2026-05-07")
      #expect(trips[0]["items"]?.list?.compactMap(\.text) == items)
    }
    for span in ["?from=2026-05-08", "?from=2026-04-01&to=2026-05-03"] {
      #expect(try fixture.ask("GET", "/trips\(span)").contains(#"{"trips":[]}"#), "\(span)")
    }
    #expect(try fixture.ask("GET", "/trips?from=2026-05-08&to=2026-05-01").hasPrefix("400"))
    // Of others' lists nothing is told.
    let (user, password) = try fixture.app.clients.add("guest", rights: [.read], lists: [])
    let guest = [WebAppFixture.basic(user, password)]
    #expect(try fixture.ask("GET", "/trips", headers: guest).contains(#"{"trips":[]}"#))
    // A booking that was deleted is no part of it, and one alone is no trip.
    _ = try fixture.ask("DELETE", "/items/\(items[1])")
    #expect(try fixture.ask("GET", "/trips").contains(#"{"trips":[]}"#))
  }
}
