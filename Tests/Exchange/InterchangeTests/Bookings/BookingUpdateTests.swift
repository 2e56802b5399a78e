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
    status: String = "Confirmed", changed: String? = nil
  ) throws -> [SuggestionInbox.Change] {
    try scan(
      day: day, from: sender, id: "\(hour).\(gate).\(status)",
      json: """
        {"@type":"FlightReservation","reservationId":"QX7K2M","reservationStatus":"\(status)",
        \(changed.map { "\"modifiedTime\":\"\($0)\"," } ?? "")"provider":{"name":"Airline"},"reservationFor":{
        "flightNumber":"XA 400","departureAirport":"FRA","arrivalAirport":"JFK","departureGate":"\(gate)",
        "departureTime":"2027-03-04T\(hour):20:00"}}
        """)
  }

  /// Reads a mail with JSON-LD.
  @discardableResult
  private func scan(
    day: Int, from sender: String = "airline.example", id: String = "", json: String
  ) throws -> [SuggestionInbox.Change] {
    let mail = """
      Authentication-Results: mx; dkim=pass header.d=\(sender)
      From: a@\(sender)
      Date: \(day) Dec 2026 12:00:00 +0000
      Message-ID: <\(day).\(id)@\(sender)>
      Content-Type: application/ld+json

      \(json)
      """
    let document = ReservationReader().scan(Array(mail.utf8))
    return try store.write { writer in try inbox(writer).take(document, in: writer) }
  }

  private static func noon(_ december: Int) -> Instant {
    Instant(seconds: CivilDateTime(year: 2026, month: 12, day: december, hour: 12).secondsSinceEpoch)
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

  private func reject() throws {
    try store.write { writer in
      let waiting = try #require(try writer.reader.suggestions().first { $0.state == .proposed })
      _ = try inbox(writer).reject(waiting.id, in: writer)
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
    #expect(try event().start?.civil.hour == 14, "what the shop wrote stops nobody")
    #expect(try waiting().isEmpty)
  }

  private func waiting() throws -> [Suggestion] {
    try store.read { try $0.suggestions() }.filter { $0.state == .proposed }
  }

  @Test("of a trusted sender count though a stranger's later mail waits, which then waits beside")
  func pendingStranger() throws {
    try trust("airline.example")
    try scan(day: 1)
    try accept()
    try scan(day: 20, from: "evil.example", hour: 20)
    #expect(try scan(day: 3, hour: 14).map(\.outcome) == [.updated])
    #expect(try event().start?.civil.hour == 14)
    #expect(try waiting().map { $0.start?.civil.hour } == [20])
    #expect(try scan(day: 21, status: "Cancelled").map(\.outcome) == [.cancelled])
    #expect(try waiting().isEmpty)
  }

  @Test("Who did not sell a booking does not call it off unseen", arguments: [true, false])
  func cancelledByStranger(isFirst: Bool) throws {
    let cancel: () throws -> Void = { try scan(day: 2, from: "evil.example", status: "Cancelled") }
    if isFirst { try cancel() }
    try scan(day: 1)
    if !isFirst { try cancel() }
    #expect(try waiting().map { $0.title.hasPrefix("Cancelled: ") }.sorted { !$0 && $1 } == [false, true])
    #expect(try scan(day: 3, gate: "Z24").map(\.outcome) == [.updated])
    #expect(try waiting().map { $0.title.hasPrefix("Cancelled: ") } == [false])
  }

  private static let strangers: [(hour: Int, gate: String, status: String, titles: [String])] = [
    (20, "Z22", "Confirmed", [" (from evil.example)", ""]),
    (10, "Z22", "Cancelled", [" (from evil.example)", ""]),
    (10, "B9", "Confirmed", [""]),
  ]

  @Test(
    "What a stranger says of a waiting booking changes nothing of it", arguments: strangers.indices, [1, 9])
  func waitingStranger(index: Int, day: Int) throws {
    let said = Self.strangers[index]
    try scan(day: 2)
    try scan(day: day, from: "evil.example", hour: said.hour, gate: said.gate, status: said.status)
    let flight = "Flight XA 400 Frankfurt am Main – New York"
    let prefix = said.status == "Cancelled" ? "Cancelled: " : ""
    #expect(
      try waiting().map(\.title)
        == (day == 1 ? [""] : said.titles).map { $0.isEmpty ? flight : prefix + flight + $0 })
    let own = try #require(try waiting().last)
    #expect(own.start?.civil.hour == 10 && own.sender == "airline.example" && own.content.contains("Z22"))
    // What the airline says later takes its place.
    #expect(try scan(day: 10, hour: 12).map(\.outcome) == [.updated])
    #expect(try waiting().map { $0.start?.civil.hour } == [12])
    // An older mail of the airline still counts.
    try scan(day: 11, from: "evil.example", hour: 21)
    #expect(try waiting().map { $0.start?.civil.hour } == [21, 12])
    try accept(from: "airline.example")
    #expect(try event().start?.civil.hour == 12)
    let update = try #require(try waiting().first)
    #expect(try waiting().count == 1 && update.replaces != nil && update.sender == "evil.example")
    try accept()
    #expect(try event().start?.civil.hour == 21)
  }

  /// The seller is whose domain has the provider's name, else who wrote first; then the name of the domain counts.
  private static let sellers: [(provider: String, days: (airline: Int, evil: Int), seller: String)] = [
    ("Airline", (2, 1), "airline.example"), ("AIRLINE", (9, 1), "airline.example"),
    ("", (1, 2), "airline.example"), ("", (2, 1), "evil.example"), ("", (1, 1), "airline.example"),
    ("Other", (2, 1), "evil.example"), ("My Airlines", (2, 1), "evil.example"),
  ]

  @Test("The seller is the same, whoever is read first", arguments: sellers.indices)
  func seller(index: Int) throws {
    let (provider, days, seller) = Self.sellers[index]
    for isAirlineFirst in [true, false] {
      let one = try BookingUpdateTests()
      for isAirline in [isAirlineFirst, !isAirlineFirst] {
        try one.scan(
          day: isAirline ? days.airline : days.evil, from: isAirline ? "airline.example" : "evil.example",
          json: """
            {"@type":"FlightReservation","reservationId":"QX7K2M","reservationStatus":"Confirmed",
            "provider":{"name":"\(provider)"},"reservationFor":{"flightNumber":"XA 400","departureAirport":"FRA",
            "arrivalAirport":"JFK","departureTime":"2027-03-04T\(isAirline ? 10 : 20):20:00"}}
            """)
      }
      let own = try one.waiting().filter { !$0.title.contains("(from ") }
      #expect(own.map(\.sender) == [seller])
    }
  }

  /// A mail of the `day`th of December about a flight of these travellers.
  private func scanFlight(day: Int, _ number: Int, of travellers: String...) throws {
    let names = travellers.map { "{\"name\":\"\($0)\"}" }.joined(separator: ",")
    try scan(
      day: day, id: "\(number)",
      json: """
        {"@type":"FlightReservation","reservationId":"QX7K2M","reservationStatus":"Confirmed","underName":[\(names)],
        "reservationFor":{"flightNumber":"XA \(number)","departureAirport":"FRA","arrivalAirport":"JFK",
        "departureTime":"2027-03-04T\(number - 390):20:00"}}
        """)
  }

  @Test("All travellers who move one by one are one booking that moved", arguments: [false, true])
  func movedOneByOne(isAccepted: Bool) throws {
    try scanFlight(day: 1, 400, of: "Ada", "Bob")
    if isAccepted { try accept() }
    try scanFlight(day: 2, 402, of: "Bob")
    #expect(try waiting().count == 2)
    try scanFlight(day: 3, 402, of: "Ada")
    let one = try #require(try waiting().first)
    #expect(try waiting().count == 1)
    #expect(one.start?.civil.hour == 12 && one.previous?.contains("T10:20") == true)
    #expect((one.replaces != nil) == isAccepted)
    guard isAccepted else { return }
    try accept()
    #expect(try event().start?.civil.hour == 12)
    #expect(try waiting().isEmpty)
    #expect(try Set(store.read { try $0.suggestions() }.compactMap(\.item)).count == 1)
  }

  @Test("A stranger who writes again hides nothing that waits", arguments: ["Confirmed", "Cancelled"])
  func persistentStranger(status: String) throws {
    try scan(day: 1)
    try scan(day: 2, from: "evil.example", hour: 20)
    try scan(day: 3, from: "evil.example", hour: 21, status: status)
    let own = try waiting().filter { $0.sender == "airline.example" }
    #expect(own.map { $0.start?.civil.hour } == [10])
    #expect(try waiting().count == 2)
  }

  private func accept(from sender: String) throws {
    try store.write { writer in
      let found = try writer.reader.suggestions().first { $0.state == .proposed && $0.sender == sender }
      _ = try inbox(writer).accept(
        try #require(found).id, into: { try $0.defaultCalendar(for: .events).id }, in: writer)
    }
  }

  @Test("that name a later departure alone move the arrival too")
  func arrival() throws {
    func scanTimes(day: Int, _ times: String) throws {
      try scan(
        day: day, id: times,
        json: """
          {"@type":"FlightReservation","reservationId":"QX7K2M","reservationStatus":"Confirmed","reservationFor":{
          "flightNumber":"XA 400","departureAirport":"FRA","arrivalAirport":"JFK",\(times)}}
          """)
    }
    try scanTimes(day: 1, #""departureTime":"2027-03-04T11:50:00","arrivalTime":"2027-03-04T14:35:00""#)
    try accept()
    try scanTimes(day: 2, #""departureTime":"2027-03-04T13:20:00""#)
    try accept()
    #expect(try event().start?.civil.hour == 13)
    #expect(try event().event?.end.civil.secondOfDay == 16 * 3_600 + 5 * 60)
  }

  @Test("by a pass that knows only when boarding begins keep the departure")
  func boarding() throws {
    try scan(day: 1)
    try accept()
    try scan(
      day: 2, id: "pass",
      json: """
        {"@type":"FlightReservation","reservationId":"QX7K2M","reservationStatus":"Confirmed",
        "reservationFor":{"flightNumber":"XA 400","departureAirport":"FRA","arrivalAirport":"JFK",
        "departureTime":"2027-03-04T09:40:00","boardingTime":"2027-03-04T09:40:00"}}
        """)
    try accept()
    #expect(try event().start?.civil.hour == 10)
  }

  @Test("A stranger's cancellation that the user believes makes no event")
  func believedCancellation() throws {
    try scan(day: 1)
    try scan(day: 2, from: "evil.example", status: "Cancelled")
    #expect(try accept().state == .cancelled)
    #expect(try store.read { try $0.suggestions() }.allSatisfy { $0.item == nil })
  }

  @Test("of a trusted domain need an answer if another domain wrote about the booking too, in any order")
  func owners() throws {
    for domains in [["shop.example", "airline.example"], ["airline.example", "shop.example"]] {
      let one = try BookingUpdateTests()
      try one.trust("airline.example", "shop.example")
      try one.scan(day: 1, from: domains[0])
      try one.scan(day: 1, from: domains[1], gate: "Z23")
      try one.accept()
      #expect(try one.scan(day: 2, from: "shop.example", hour: 12).map(\.outcome) == [.proposed])
      #expect(try one.event().start?.civil.hour == 10)
    }
  }

  @Test("by a cancellation that came first count for its provider alone")
  func cancellations() throws {
    for (provider, isCancelled) in [("Example Air", true), ("Other Wings", true), ("Third Jet", false)] {
      let one = try BookingUpdateTests()
      for (day, name) in [(2, "Example Air"), (3, "Other Wings")] {
        try one.scan(
          day: day,
          json: """
            {"@type":"FlightReservation","reservationId":"QX7K2M","reservationStatus":"Cancelled",
            "reservationFor":{"airline":{"name":"\(name)"}}}
            """)
      }
      try one.scan(
        day: 1,
        json: """
          {"@type":"FlightReservation","reservationId":"QX7K2M","reservationStatus":"Confirmed","reservationFor":{
          "airline":{"name":"\(provider)"},"departureAirport":"FRA","arrivalAirport":"JFK",
          "departureTime":"2027-03-04T10:20:00"}}
          """)
      let waiting = try one.store.read { try $0.suggestions() }.filter { $0.state == .proposed }
      #expect(waiting.isEmpty == isCancelled, "\(provider)")
    }
  }

  @Test("of a page count again when it says again what it said before")
  func page() throws {
    let file = { (hour: Int) in
      """
      [{"@type":"FlightReservation","reservationId":"QX7K2M","reservationStatus":"Confirmed","reservationFor":{
      "flightNumber":"XA 400","departureAirport":"FRA","arrivalAirport":"JFK",
      "departureTime":"2027-03-04T\(hour):20:00"}}]
      """
    }
    for isPage in [true, false] {
      let one = try BookingUpdateTests()
      for (minute, hour) in [10, 12, 10].enumerated() {
        var document = ReservationReader().scan(Array(file(hour).utf8))
        document.isPage = isPage
        let read = document
        try one.store.write { writer in
          let inbox = try SuggestionInbox(
            writer.reader, resolver: one.resolver, alarms: ReservationAlarms(),
            at: one.now.adding(seconds: Double(60 * minute)))
          _ = try inbox.take(read, in: writer)
        }
      }
      let start = try one.store.read { try $0.suggestions() }.first?.start
      #expect(start?.civil.hour == (isPage ? 10 : 12))
    }
  }

  @Test("of a suggestion without sources, as earlier versions saved them, count from when it was found")
  func withoutSources() throws {
    try scan(day: 1)
    let first = try accept()
    try store.write { try $0.save([], of: first.id) }
    #expect(try scan(day: 2, hour: 12).map(\.outcome) == [.unchanged])
    #expect(try store.read { try $0.sources(of: first.id) }.map(\.date) == [now, Self.noon(2)])
  }

  @Test("of the trusted domain itself need no answer, can be undone, and are new in the inbox")
  func trusted() throws {
    try trust("airline.example")
    try scan(day: 1)
    try accept()
    try store.write { try $0.forgetUntoldSuggestions() }
    let changes = try scan(day: 2, from: "mail.airline.example", hour: 12)
    let change = try #require(changes.first)
    #expect(change.outcome == .updated && change.suggestion.state == .accepted)
    #expect(try event().start?.civil.hour == 12)
    let news = try store.read { try $0.untoldSuggestions() }
    #expect(news.map(\.id) == [change.suggestion.id] && news.first?.isNews == true)
    try store.write { writer in _ = try inbox(writer).undo(change.suggestion.id, in: writer) }
    #expect(try event().start?.civil.hour == 10)
  }

  @Test(
    "that the user rejected do not hide later ones",
    arguments: [(18, "Confirmed", 18), (10, "Cancelled", 10), (10, "Confirmed", nil), (12, "Confirmed", nil)]
      as [(Int, String, Int?)])
  func rejected(hour: Int, status: String, proposed: Int?) throws {
    try scan(day: 1)
    try accept()
    try scan(day: 2, from: "agent.example", hour: 12, changed: "2026-12-03T10:00:00Z")
    try reject()
    let changes = try scan(day: 2, hour: hour, status: status)
    #expect(changes.map(\.outcome) == [proposed == nil ? .unchanged : .proposed])
    #expect(changes.first?.suggestion.start?.civil.hour == proposed ?? 12)
    guard proposed != nil else { return }
    let answered = try accept()
    #expect(answered.state == (status == "Cancelled" ? .cancelled : .accepted))
    #expect(try event().start?.civil.hour == hour)
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
