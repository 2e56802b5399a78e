import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostReservations
import FencepostTestSupport
import Testing

@testable import FencepostInterchange

@Suite("The tickets of bookings")
struct TicketFileTests {
  private let store: CalendarStore
  private let now = Instant(seconds: 1_800_000_000)
  private let pdf = "%PDF-1.7 one"

  init() throws { store = try CalendarStore() }

  private func scan(
    _ name: String, day: Int = 1, hour: Int = 10, from sender: String = "air.example",
    attached: [String] = ["%PDF-1.7 one"], legs: [String] = ["FRA JFK"], isPass: Bool = false
  ) throws {
    let directory = try TemporaryDirectory()
    let flights = legs.map { leg in
      let ends = leg.split(separator: " ")
      return """
        {"@type":"FlightReservation","reservationId":"QX7K2M","reservationStatus":"Confirmed","reservationFor":{
        "flightNumber":"XA \(leg == "FRA JFK" ? 400 : 401)","departureAirport":"\(ends[0])","arrivalAirport":"\(ends[1])",
        "departureTime":"\(isPass ? "" : "2027-03-0\(leg == "FRA JFK" ? 4 : 9)T\(hour):20:00")"},
        "airplaneSeat":"7C"}
        """
    }
    let parts =
      [("application/ld+json", "[\(flights.joined(separator: ","))]")]
      + attached.map { ("application/pdf; name=\"\($0.split(separator: " ").last ?? "").pdf\"", $0) }
    let text = parts.map { "--x\nContent-Type: \($0.0)\n\n\($0.1)" }.joined(separator: "\n")
    let path = try directory.write(
      """
      From: a@\(sender)
      Date: \(day) Dec 2026 12:00:00 +0000
      Message-ID: <\(name)@\(sender)>
      Content-Type: multipart/mixed; boundary=x

      \(text)
      --x--
      """, to: "\(name).eml")
    let resolver = TimeResolver(zones: TimeZoneDatabase(localTime: "/nonexistent", environmentZone: "UTC"))
    try SuggestionScan(store, resolver: resolver, at: now).run(
      path, skipped: { #expect($0.contains("kitinerary-extractor") && legs.isEmpty) }, progress: { _, _ in },
      { _ in })
  }

  private func suggestions() throws -> [Suggestion] { try store.read { try $0.suggestions() } }

  private func names(_ suggestion: Suggestion) throws -> [String] {
    try store.read { try $0.tickets(of: suggestion.id) }.map(\.name)
  }

  private func accept(_ suggestion: Suggestion) throws -> Suggestion {
    let resolver = TimeResolver(zones: TimeZoneDatabase(localTime: "/nonexistent", environmentZone: "UTC"))
    return try store.write { writer in
      try SuggestionInbox(writer.reader, resolver: resolver, alarms: ReservationAlarms(), at: now).accept(
        suggestion.id, into: { try $0.defaultCalendar(for: .events).id }, in: writer)
    }
  }

  @Test("are kept as they came, once for all bookings of a mail, with the mail's sender")
  func kept() throws {
    try scan("one", legs: ["FRA JFK", "JFK FRA"])
    try scan("one", legs: ["FRA JFK", "JFK FRA"])
    let all = try suggestions()
    #expect(all.count == 2)
    for suggestion in all {
      let entry = try #require(try store.read { try $0.tickets(of: suggestion.id) }.first)
      #expect(entry.name == "one.pdf" && entry.kind == .pdf && entry.size == pdf.utf8.count)
      #expect(entry.sender == "air.example")
      let file = try #require(try store.read { try $0.ticket(entry.number, of: suggestion.id) })
      #expect(file.content == Array(pdf.utf8))
      #expect(try names(suggestion) == ["one.pdf"])
      #expect(try store.read { try $0.ticket(entry.number + 1, of: suggestion.id) } == nil)
      #expect(try store.read { try $0.ticket(entry.number, of: Identifier(rawValue: "none")) } == nil)
    }
    #expect(try store.read { try $0.suggestionsWithTickets() } == Set(all.map(\.id)))
  }

  @Test("of an update are those of its event too, and a mail that only brings one changes nothing else")
  func updates() throws {
    try scan("one")
    let accepted = try accept(#require(try suggestions().first))
    try scan("two", day: 2, attached: ["%PDF-1.7 two"])
    #expect(try suggestions().count == 1)
    #expect(try names(accepted) == ["one.pdf", "two.pdf"])
    try scan("three", day: 3, hour: 11, attached: ["%PDF-1.7 three"])
    let update = try #require(try suggestions().first { $0.state == .proposed })
    #expect(try names(update) == ["one.pdf", "two.pdf", "three.pdf"])
    #expect(try names(accept(update)) == ["one.pdf", "two.pdf", "three.pdf"])
  }

  @Test("that came before their booking are kept until it comes", arguments: [1, 9])
  func early(day: Int) throws {
    try scan("pass", day: day, attached: ["%PDF-1.7 pass"], isPass: true)
    #expect(try suggestions().map(\.state) == [.cancelled])
    try scan("one", day: 2)
    let booking = try #require(try suggestions().first { $0.state == .proposed })
    #expect(try Set(names(booking)) == ["pass.pdf", "one.pdf"])
    #expect(booking.content.contains("7C"))
  }

  @Test("of mails without a booking are not kept")
  func withoutBooking() throws {
    try scan("one", legs: [])
    #expect(try suggestions().isEmpty)
    #expect(try store.read { try $0.suggestionsWithTickets() }.isEmpty)
  }

  @Test("go when their event was removed or they were rejected, once undo does not bring them back")
  func pruned() throws {
    try scan("one", attached: [], legs: ["FRA JFK", "JFK FRA"])
    let all = try suggestions()
    let (removed, kept) = (try accept(all[0]), try accept(all[1]))
    func save(_ word: String, of one: Suggestion, days: Double) throws {
      let file = try #require(TicketFile(.pdf, name: word, content: Array("%PDF-\(word)".utf8)))
      try store.write {
        try $0.save(file, from: nil, of: one.id, at: now.adding(seconds: days * 86_400))
      }
    }
    try save("old", of: removed, days: 0)
    try save("kept", of: kept, days: 0)
    try store.write { try $0.remove(#require(removed.item)) }
    try save("soon", of: kept, days: 89)
    #expect(try names(removed) == ["old.pdf"])
    try save("later", of: kept, days: 91)
    #expect(try names(removed).isEmpty)
    #expect(try names(kept) == ["kept.pdf", "soon.pdf", "later.pdf"])
  }
}
