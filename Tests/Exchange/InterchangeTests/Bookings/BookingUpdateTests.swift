import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostReservations
import FencepostSpatiotemporal
import Testing

@testable import FencepostInterchange

@Suite("Updates of accepted bookings")
struct BookingUpdateTests {
  private let store: CalendarStore
  private let resolver = TimeResolver(
    zones: TimeZoneDatabase(localTime: "/nonexistent", environmentZone: "UTC"))
  private let now = Instant(seconds: 1_800_000_000)

  init() throws { store = try CalendarStore() }

  private func inbox(_ writer: borrowing StoreWriter) throws -> SuggestionInbox {
    try SuggestionInbox(writer.reader, resolver: resolver, alarms: ReservationAlarms(), at: now)
  }

  /// Reads a mail of the `day`th of December 2026 about a flight in March.
  @discardableResult
  private func scan(
    day: Int, from sender: String = "airline.example", hour: Int = 10, gate: String = "Z22",
    status: String = "Confirmed"
  ) throws -> [SuggestionInbox.Change] {
    let mail = """
      Authentication-Results: mx; dkim=pass header.d=\(sender)
      From: a@\(sender)
      Date: \(day) Dec 2026 12:00:00 +0000
      Message-ID: <\(day).\(hour).\(gate).\(status)@\(sender)>
      Content-Type: application/ld+json

      {"@type":"FlightReservation","reservationId":"QX7K2M","reservationStatus":"\(status)","reservationFor":{
      "flightNumber":"XA 400","departureAirport":"FRA","arrivalAirport":"JFK","departureGate":"\(gate)",
      "departureTime":"2027-03-04T\(hour):20:00"}}
      """
    let document = ReservationReader().scan(Array(mail.utf8))
    return try store.write { writer in try inbox(writer).take(document, in: writer) }
  }

  @discardableResult
  private func accept() throws -> Suggestion {
    try store.write { writer in
      let found = try writer.reader.suggestions().first { $0.state == .proposed }
      let waiting = try #require(found)
      return try inbox(writer).accept(
        waiting.id, into: { try $0.defaultCalendar(for: .events).id }, in: writer)
    }
  }

  private func event() throws -> CalendarItem {
    let item = try store.read { try $0.suggestions() }.first?.item
    let id = try #require(item)
    let found = try store.read { try $0.item(id) }
    return try #require(found)
  }

  private func trust(_ domains: String...) throws {
    try store.write { writer in
      try writer.setMailServer("mx", isTrusted: true)
      for domain in domains { try writer.trustSender(domain, at: now) }
    }
  }

  @Test("of a trusted domain only count without an answer for what came from that domain")
  func trustIsBound() throws {
    try trust("airline.example", "shop.example")
    try scan(day: 1)
    try accept()
    #expect(try scan(day: 2, from: "shop.example", hour: 12).map(\.outcome) == [.proposed])
    #expect(try event().start?.civil.hour == 10)
    #expect(try scan(day: 3, from: "mail.airline.example", hour: 14).map(\.outcome) == [.updated])
    #expect(try event().start?.civil.hour == 10, "what the shop wrote is still in question")
  }

  @Test("of the trusted domain itself need no answer, can be undone, and are new in the inbox")
  func trusted() throws {
    try trust("airline.example")
    try scan(day: 1)
    try accept()
    let last = try store.read { try $0.lastSuggestion() }
    let changes = try scan(day: 2, from: "mail.airline.example", hour: 12)
    let change = try #require(changes.first)
    #expect(change.outcome == .updated && change.suggestion.state == .accepted)
    #expect(try event().start?.civil.hour == 12)
    #expect(try store.read { try $0.suggestions(after: last) }.map(\.id) == [change.suggestion.id])
    try store.write { writer in _ = try inbox(writer).undo(change.suggestion.id, in: writer) }
    #expect(try event().start?.civil.hour == 10)
  }

  @Test("keep the user's title and notes, and bring the generated lines up to date")
  func notes() throws {
    try scan(day: 1)
    try accept()
    var item = try event()
    let generated = try #require(item.notes)
    #expect(generated.contains("Gate: Z22"))
    item.notes = "Bring the passport\n\(generated)\nAsk for a window"
    item.title = "To New York"
    try store.write { [item] in try $0.save(item) }
    for (day, gate) in [(2, "B1"), (3, "C7")] {
      try scan(day: day, gate: gate)
      try accept()
      #expect(
        try event().notes == "Bring the passport\n"
          + generated.replacing("Gate: Z22", with: "Gate: \(gate)") + "\nAsk for a window")
      #expect(try event().title == "To New York")
    }
  }

  @Test("make an event again that the user removed; a cancellation does not")
  func removed() throws {
    try scan(day: 1)
    let first = try accept()
    try store.write { writer in if let item = first.item { try writer.remove(item) } }
    try scan(day: 2, hour: 12)
    let second = try accept()
    #expect(try event().start?.civil.hour == 12)
    try store.write { writer in if let item = second.item { try writer.remove(item) } }
    try scan(day: 3, hour: 12, status: "Cancelled")
    let third = try accept()
    #expect(third.state == .cancelled)
    let events = try store.read { try $0.suggestions() }.compactMap(\.item)
    #expect(try events.allSatisfy { id in try store.read { try $0.item(id) } == nil })
  }

  @Test("wait no longer if the booking is again as it was accepted")
  func reverted() throws {
    try scan(day: 1)
    try accept()
    try scan(day: 2, hour: 12)
    try scan(day: 3, hour: 10)
    #expect(try store.read { try $0.suggestions() }.map(\.state) == [.superseded, .accepted])
  }
}
