import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostJSON
import FencepostReservations
import FencepostTestSupport
import FencepostWebServer
import Testing

@testable import FencepostWebApp

@Suite("Sources, suggestions and settings of lists over the API")
struct SourceAPITests {
  private let fixture: WebAppFixture

  init() throws { fixture = try WebAppFixture() }

  @Test("Sources are added, renamed and removed with their lists")
  func sources() throws {
    let made = try fixture.json("POST", "/sources", #"{"title":"Club"}"#)
    let id = try #require(made["id"]?.text)
    #expect(try fixture.ask("POST", "/sources", #"{"title":"club"}"#).hasPrefix("409"))
    #expect(try fixture.ask("POST", "/sources", #"{"title":" "}"#).hasPrefix("400"))
    #expect(try fixture.json("PATCH", "/sources/\(id)", #"{"title":"Choir"}"#)["title"]?.text == "Choir")
    let titles = try fixture.json("GET", "/sources")["sources"]?.list?.compactMap { $0["title"]?.text }
    #expect(titles?.contains("Choir") == true)
    #expect(try fixture.ask("DELETE", "/sources/\(id)") == "204")
    #expect(try fixture.ask("DELETE", "/sources/\(id)").hasPrefix("404"))
    #expect(try fixture.ask("POST", "/undo", "{}").hasPrefix("200"))
    #expect(try fixture.ask("PATCH", "/sources/\(id)", #"{"title":"Again"}"#).hasPrefix("200"))
  }

  @Test(
    "Only addresses of the network can be subscribed to",
    arguments: ["/etc/passwd", "file:///etc/passwd", "calendar.ics", "ftp://example.org/a.ics", ""])
  func addresses(address: String) throws {
    let owner = ["Cookie: \(try fixture.signIn())"]
    let body = #"{"address":"\#(address)"}"#
    #expect(try fixture.ask("POST", "/subscriptions", body, headers: owner).hasPrefix("400"))
    // A program could have the daemon look around in its network.
    #expect(try fixture.ask("POST", "/subscriptions", body).hasPrefix("403"))
    #expect(try fixture.json("GET", "/subscriptions")["subscriptions"]?.list?.isEmpty == true)
  }

  @Test("A suggestion is accepted into a calendar, and an answer can be taken back")
  func suggestions() throws {
    let content = #"""
      {"@context":"http://schema.org","@type":"LodgingReservation","reservationNumber":"H1","checkinTime":"2026-06-01T15:00:00+02:00","checkoutTime":"2026-06-03T11:00:00+02:00","reservationFor":{"@type":"LodgingBusiness","name":"Inn","address":"Main Street 1"}}
      """#
    let suggestion = Suggestion(kind: "hotel", title: "Inn", content: content, found: fixture.now)
    try fixture.store.write { try $0.save(suggestion) }
    let shown = try fixture.json("GET", "/suggestions")["suggestions"]?.list
    #expect(shown?.first?["id"]?.text == suggestion.id.rawValue)
    let path = "/suggestions/\(suggestion.id)"
    #expect(try fixture.ask("POST", "\(path)/accept", #"{"list_id":"none"}"#).hasPrefix("400"))
    let accepted = try fixture.json("POST", "\(path)/accept", "{}")
    #expect(accepted["state"]?.text == "accepted")
    let event = try #require(accepted["item"]?.text)
    #expect(try fixture.ask("GET", "/items/\(event)").hasPrefix("200"))
    #expect(try fixture.ask("POST", "\(path)/reject", "{}").hasPrefix("409"))
    #expect(try fixture.json("POST", "\(path)/reopen", "{}")["state"]?.text == "proposed")
    #expect(try fixture.ask("GET", "/items/\(event)").hasPrefix("404"))
    #expect(try fixture.json("POST", "\(path)/reject", "{}")["state"]?.text == "rejected")
    #expect(try fixture.json("GET", "/suggestions")["suggestions"]?.list?.isEmpty == true)
    #expect(try fixture.json("GET", "/suggestions?all=1")["suggestions"]?.list?.count == 1)
    #expect(try fixture.ask("POST", "/suggestions/none/reject", "{}").hasPrefix("404"))
  }

  @Test("An accepted booking gets the alarms of the setting")
  func suggestionAlarms() throws {
    let alarms = ReservationAlarms(beforeStart: [.restaurant: [600]], checkIn: nil, onArrival: false)
    let fixture = try WebAppFixture(suggestionAlarms: alarms)
    let content = #"""
      {"@context":"http://schema.org","@type":"FoodEstablishmentReservation","reservationNumber":"R1","startTime":"2026-06-01T19:00:00+02:00","partySize":2,"reservationFor":{"@type":"FoodEstablishment","name":"Bistro","address":"Main Street 1"}}
      """#
    let suggestion = Suggestion(kind: "restaurant", title: "Bistro", content: content, found: fixture.now)
    try fixture.store.write { try $0.save(suggestion) }
    let accepted = try fixture.json("POST", "/suggestions/\(suggestion.id)/accept", "{}")
    let event = try fixture.json("GET", "/items/\(try #require(accepted["item"]?.text))")
    #expect(event["alarms"]?.list?.compactMap { $0["offset"]?.text } == ["-PT10M"])
  }

  @Test("Conflicts of accounts are shown and forgotten")
  func conflicts() throws {
    let item = try fixture.json("POST", "/items", #"{"title":"Milk"}"#)
    let (uid, list) = (try #require(item["uid"]?.text), try #require(item["list_id"]?.text))
    try fixture.store.write { writer in
      var account = SyncAccount(kind: .calDAV, address: "https://example.org", user: "anna", source: nil)
      try writer.save(&account)
      var collection = SyncedCalendar(
        account: account.number, calendar: Identifier(rawValue: list), name: "/list/")
      try writer.save(&collection)
      try writer.add(
        SyncConflict(
          uid: uid, title: "Milk", occurrence: nil, property: "SUMMARY", loser: "local",
          kept: ["SUMMARY:Oat milk"],
          lost: ["SUMMARY:Milk"], found: fixture.now), in: collection.number)
    }
    let found = try #require(try fixture.json("GET", "/conflicts")["conflicts"]?.list?.first)
    #expect(found["item"]?.text == item["id"]?.text && found["loser"]?.text == "local")
    #expect(found["kept"]?.list?.first?.text == "SUMMARY:Oat milk")
    #expect(try fixture.ask("DELETE", "/conflicts") == "204")
    #expect(try fixture.json("GET", "/conflicts")["conflicts"]?.list?.isEmpty == true)
    #expect(try fixture.json("GET", "/items/\(try #require(item["id"]?.text))")["title"]?.text == "Milk")
  }

  @Test("A list has alarms of its own, and a client that is limited to lists can't rename them")
  func lists() throws {
    let list = try fixture.json("POST", "/lists", #"{"title":"Home"}"#)
    let id = try #require(list["id"]?.text)
    #expect(list["default_alarm"]?.isNull == true)
    let body = #"{"default_alarm":"-15m","all_day_hour":"8:30","rings_when_due":true,"nag":"10m"}"#
    let changed = try fixture.json("PATCH", "/lists/\(id)", body)
    #expect(changed["default_alarm"]?.text == "-PT15M" && changed["all_day_hour"]?.text == "08:30")
    #expect(
      changed["rings_when_due"]?.flag == true && changed["nag"]?.text == "PT10M"
        && changed["title"]?.text == "Home")
    #expect(
      try fixture.json("PATCH", "/lists/\(id)", #"{"default_alarm":"none"}"#)["default_alarm"]?.text == "none"
    )
    #expect(
      try fixture.json("PATCH", "/lists/\(id)", #"{"default_alarm":null}"#)["default_alarm"]?.isNull == true)
    for bad in [
      #"{"default_alarm":"soon"}"#, #"{"default_alarm":5}"#, #"{"all_day_hour":"25:00"}"#,
      #"{"rings_when_due":"yes"}"#, #"{"nag":"5s"}"#, #"{"nag":5}"#,
    ] {
      #expect(try fixture.ask("PATCH", "/lists/\(id)", bad).hasPrefix("400"), "\(bad)")
    }
    let (user, password) = try fixture.app.clients.add(
      "one list", rights: [.read, .write], lists: [Identifier(rawValue: id)])
    let client = [WebAppFixture.basic(user, password)]
    #expect(try fixture.ask("PATCH", "/lists/\(id)", #"{"title":"Mine"}"#, headers: client).hasPrefix("403"))
    #expect(try fixture.ask("DELETE", "/lists/\(id)", headers: client).hasPrefix("403"))
  }

  @Test("Two alarms with the same identifier are refused")
  func alarms() throws {
    let item = try fixture.json(
      "POST", "/items",
      #"{"title":"Walk","due":"2026-05-02T09:00","alarms":[{"offset":"-PT5M","from":"start"}]}"#)
    let id = try #require(item["id"]?.text), alarm = try #require(item["alarms"]?.list?.first?["id"]?.text)
    let twice = #"{"alarms":[{"id":"\#(alarm)","offset":"-PT5M"},{"id":"\#(alarm)","offset":"-PT10M"}]}"#
    #expect(try fixture.ask("PATCH", "/items/\(id)", twice).hasPrefix("400"))
    #expect(try fixture.json("GET", "/items/\(id)")["alarms"]?.list?.count == 1)
  }

  @Test("An agenda has the latest overdue reminders and the number of all")
  func overdue() throws {
    let list = try fixture.store.write { try $0.defaultCalendar(for: .reminders) }
    try fixture.store.write { writer in
      for number in 0..<150 {
        var details = ReminderDetails()
        details.due = CalendarTime(fixture.now.adding(seconds: -86_400 * Double(number + 1)))
        try writer.save(CalendarItem(calendar: list.id, title: "R\(number)", details: .reminder(details)))
      }
    }
    let agenda = try fixture.json("GET", "/agenda")
    let titles = agenda["overdue"]?.list?.compactMap { $0["item"]?["title"]?.text }
    #expect(agenda["overdue_total"]?.integer == 150 && titles?.count == 100)
    #expect(titles?.first == "R99" && titles?.last == "R0")
    try fixture.store.write { writer in
      for number in 0..<9 {
        var details = ReminderDetails()
        details.due = CalendarTime(fixture.now.adding(seconds: 60 * Double(number + 1)))
        try writer.save(CalendarItem(calendar: list.id, title: "T\(number)", details: .reminder(details)))
      }
    }
    let day = try #require(try fixture.json("GET", "/agenda?limit=4")["days"]?.list?.first)
    #expect(day["entries"]?.list?.count == 4 && day["total"]?.integer == 9)
  }

  @Test("A booking's tickets are files to save, for those who may see all bookings")
  func ticketFiles() throws {
    let fixture = try WebAppFixture()
    let content = #"{"@type":"TaxiReservation","reservationId":"T","pickupTime":"2026-06-12T10:00:00Z"}"#
    let one = Suggestion(kind: "taxi", title: "Taxi", content: content, found: fixture.now)
    let other = Suggestion(kind: "taxi", title: "Other", content: content, found: fixture.now)
    let file = try #require(TicketFile(.pdf, name: "Fahrkarte Köln.pdf", content: Array("%PDF-1.7".utf8)))
    try fixture.store.write { writer in
      try writer.save(one)
      try writer.save(other)
      try writer.save(file, from: "air.example", of: one.id, at: fixture.now)
    }
    let shown = try fixture.json("GET", "/suggestions")["suggestions"]?.list ?? []
    #expect(
      shown.map { $0["ticket_files"]?.flag }
        == (shown[0]["title"]?.text == "Taxi" ? [true, nil] : [nil, true]))
    let files = try fixture.json("GET", "/suggestions/\(one.id)/tickets")["files"]?.list ?? []
    let id = try #require(files.first?["id"]?.text)
    #expect(files.first?["name"]?.text == "Fahrkarte Köln.pdf" && files.first?["bytes"]?.number == 8)
    let probe = try HTTPProbe(port: fixture.port)
    probe.send(
      """
      GET /api/v1/suggestions/\(one.id)/tickets/\(id) HTTP/1.1\r
      Host: localhost\r
      Cookie: \(try fixture.signIn())\r
      Connection: close\r
      \r\n
      """)
    let answer = probe.rest()
    #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix("%PDF-1.7"))
    for header in [
      "Content-Type: application/pdf", "X-Content-Type-Options: nosniff",
      "Content-Disposition: attachment; filename=\"ticket.pdf\"; filename*=UTF-8''Fahrkarte%20K%C3%B6ln.pdf",
    ] { #expect(answer.contains(header), "\(header)") }
    for path in [
      "\(other.id)/tickets/\(id)", "\(one.id)/tickets/0", "\(one.id)/tickets/x", "none/tickets/\(id)",
    ] {
      #expect(try fixture.ask("GET", "/suggestions/\(path)").hasPrefix("404"), "\(path)")
    }
    let list = try fixture.store.write { try $0.defaultCalendar(for: .events).id }
    let (user, password) = try fixture.app.clients.add("tablet", rights: [.read], lists: [list])
    let limited = [WebAppFixture.basic(user, password)]
    #expect(
      try fixture.ask("GET", "/suggestions/\(one.id)/tickets/\(id)", headers: limited).hasPrefix("403"))
  }

  @Test("The button of a notification answers its suggestion once, and no other")
  func button() throws {
    let content = #"""
      {"@context":"http://schema.org","@type":"TaxiReservation","reservationNumber":"T1","pickupTime":"2026-06-01T15:00:00+02:00"}
      """#
    let first = Suggestion(kind: "taxi", title: "Taxi", content: content, found: fixture.now)
    let other = Suggestion(kind: "taxi", title: "Taxi", content: content, found: fixture.now)
    try fixture.store.write { [first, other] writer in
      try writer.save(first)
      try writer.save(other)
    }
    let now = fixture.now
    let token = try ClientRegistry(store: fixture.store) { now }.answerToken(
      for: first.id.rawValue, revision: first.revision)
    func press(_ id: Identifier<Suggestion>, _ action: String) throws -> String {
      try fixture.ask(
        "POST", "/suggestions/\(id)/\(action)", "{}", headers: ["Authorization: Bearer \(token)"])
    }
    for revision in [nil, other.revision + "0"] {
      let old = try ClientRegistry(store: fixture.store) { now }.answerToken(
        for: first.id.rawValue, revision: revision)
      let refusal = try fixture.ask(
        "POST", "/suggestions/\(first.id)/accept", "{}", headers: ["Authorization: Bearer \(old)"])
      #expect(refusal.hasPrefix("409") && refusal.contains("This booking has changed since. Open it."))
    }
    #expect(
      try fixture.ask("POST", "/suggestions/\(first.id)/accept", #"{"revision":"0"}"#).hasPrefix("409"))
    #expect(try fixture.store.read { try $0.suggestion(first.id) }?.state == .proposed)
    #expect(try press(other.id, "accept").hasPrefix("403"))
    #expect(try press(first.id, "reject").hasPrefix("403"))
    #expect(try press(first.id, "accept").hasPrefix("200"))
    let accepted = try fixture.store.read { try $0.suggestion(first.id) }
    #expect(accepted?.state == .accepted)
    #expect(try press(first.id, "decline").hasPrefix("409"))
    #expect(try fixture.store.read { try $0.suggestion(first.id) } == accepted)
    #expect(try fixture.store.read { try $0.suggestion(other.id) }?.state == .proposed)
  }
}
