import FencepostCalendarModel
import FencepostCalendarStore
import FencepostJSON
import FencepostRecurrence
import FencepostReservations
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@testable import FencepostInterchange

/// A line of `merges.txt`: what two or three mails say, and what is then known.
///
/// A mail is written as its bookings, with `;` between them. A booking is its kind and what differs from the
/// usual one (``BookingMail``): `at=4.10:20` is the 4th of March 2027, `mail=2` the Date of the mail and `changed=2`
/// its `modifiedTime`, in days of January 2027; `only=ref` is a cancellation with a number alone, and `-`
/// leaves something out. `_` stands for a blank. A result is what of each suggestion must hold.
private struct Merge: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var mails: [String]
  var result: [[String]]

  static let all: [Merge] =
    (try? Repository.text("Tests/Exchange/InterchangeTests/Bookings/merges.txt")).map { text in
      text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
        let parts = line.split(separator: "|").map { $0.trimmed }
        return Merge(
          testDescription: parts[0], mails: Array(parts[1..<(parts.count - 1)]),
          result: (parts.last ?? "").split(separator: ";").map { $0.split(separator: " ").map(String.init) })
      }
    } ?? []
}

/// The mail for one cell of the table.
struct BookingMail {
  private static let usual: [String: [String: String]] = [
    "flight": ["ref": "QX", "no": "XA400", "way": "FRA-JFK", "at": "4.10:20", "by": "Example_Air"],
    "train": ["ref": "T1", "no": "ICE_1", "way": "A-B", "at": "4.10:20", "by": "Example_Rail"],
    "bus": ["ref": "B1", "way": "A-B", "at": "4.10:20"],
    "boat": ["ref": "F1", "way": "A-B", "at": "4.10:20"],
    "hotel": ["ref": "H", "name": "Inn", "at": "4", "to": "6"],
    "table": ["ref": "R", "name": "Inn", "at": "4.19:00"],
    "show": ["ref": "E", "name": "Show", "at": "4.19:00"],
    "car": ["ref": "C", "by": "Cars", "at": "4.09:00", "place": "Desk"],
    "taxi": ["ref": "X", "at": "4.06:30", "place": "Home"],
  ]

  private var date: Int?
  private var bookings: [String] = []

  init(_ text: String) {
    for booking in text.split(separator: ";") {
      let words = booking.split(separator: " ").map(String.init)
      guard let kind = words.first, let usual = Self.usual[kind] else { continue }
      var values: [String: String] = [:]
      for word in words.dropFirst() {
        let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
        values[pair[0]] = pair[1].replacing("_", with: " ")
      }
      date = values["mail"].flatMap { Int($0) } ?? date
      let isMinimal = values["only"] != nil
      if isMinimal { values["status"] = "Cancelled" }
      for (key, value) in usual where !isMinimal || key == "ref" {
        values[key] = values[key] ?? value.replacing("_", with: " ")
      }
      bookings.append(Self.json(kind, values.filter { $0.value != "-" }))
    }
  }

  /// - Parameter withSender: Whether the airline is the sender; otherwise the caller writes it before.
  func bytes(withSender: Bool = true) -> [UInt8] {
    let day = CivilDay(year: 2027, month: 1, day: 1).adding(days: (date ?? 1) - 1).components
    let months = ["Jan", "Feb", "Mar", "Apr"]
    return Array(
      """
      \(withSender ? "From: a@air.example\n" : "")Date: \(day.day) \(months[day.month - 1]) \(day.year) 12:00:00 +0000
      Content-Type: application/ld+json

      [\(bookings.joined(separator: ","))]
      """.utf8)
  }

  private static func time(_ text: String) -> String {
    let parts = text.split(separator: ".")
    let day = "2027-03-\(parts[0].count == 1 ? "0" : "")\(parts[0])"
    guard parts.count == 2 else { return day }
    let clock = parts[1].split(separator: "+")
    return "\(day)T\(clock[0]):00" + (clock.count == 2 ? "+0\(clock[1]):00" : "")
  }

  private static func json(_ kind: String, _ values: [String: String]) -> String {
    func member(_ name: String, _ value: String?) -> String? { value.map { "\"\(name)\":\($0)" } }
    func text(_ name: String, _ key: String) -> String? { member(name, values[key].map { "\"\($0)\"" }) }
    func time(_ name: String, _ key: String) -> String? {
      member(name, values[key].map { "\"\(Self.time($0))\"" })
    }
    func object(_ members: String?...) -> String {
      "{\(members.compactMap { $0 }.joined(separator: ","))}"
    }
    func named(_ key: String) -> String? { values[key].map { "{\"name\":\"\($0)\"}" } }
    let way = values["way"]?.split(separator: "-").map { "\"\($0)\"" }
    let types = [
      "flight": "Flight", "train": "Train", "bus": "Bus", "boat": "Boat", "hotel": "Lodging",
      "table": "FoodEstablishment", "show": "Event", "car": "RentalCar", "taxi": "Taxi",
    ]
    let stops = ["flight": "Airport", "train": "Station", "bus": "BusStop", "boat": "BoatTerminal"]
    var thing: String?
    if let stop = stops[kind] {
      thing = object(
        text("\(kind)Number", "no"), member("airline", kind == "flight" ? named("by") : nil),
        member("departure\(stop)", way?.first), member("arrival\(stop)", way?.last),
        time("departureTime", "at"), time("arrivalTime", "to"), text("departureGate", "gate"),
        time("boardingTime", "board"))
    } else if kind == "show" {
      thing = object(
        "\"@type\":\"Event\"", text("name", "name"), time("startDate", "at"), time("endDate", "to"),
        text("eventStatus", "event"))
    } else if kind == "car" {
      thing = object(member("rentalCompany", named("by")), text("name", "vehicle"))
    } else if values["name"] != nil {
      thing = object(text("name", "name"), text("address", "place"))
    }
    if values["only"] != nil { thing = nil }
    let isPickup = kind == "car" || kind == "taxi"
    let isStay = kind == "hotel"
    let changed = values["changed"].flatMap { Int($0) }.map {
      "\"\(CivilDay(year: 2027, month: 1, day: 1).adding(days: $0 - 1))T12:00:00Z\""
    }
    let names = values["who"]?.split(separator: ",").map { "{\"name\":\"\($0)\"}" }
    return object(
      "\"@type\":\"\(types[kind] ?? "")Reservation\"", text("reservationId", "ref"),
      text("reservationStatus", "status") ?? "\"reservationStatus\":\"Confirmed\"",
      member("modifiedTime", changed), member("provider", named("by")),
      member("underName", names.map { "[\($0.joined(separator: ","))]" }), text("airplaneSeat", "seat"),
      text("ticketNumber", "ticket"), text("boardingGroup", "group"), text("partySize", "size"),
      text("pkpassSerialNumber", "serial"), time("webCheckinTime", "checkin"),
      isStay ? time("checkinTime", "at") : nil, isStay ? time("checkoutTime", "to") : nil,
      isPickup ? time("pickupTime", "at") : nil, isPickup ? time("dropoffTime", "to") : nil,
      isPickup ? member("pickupLocation", named("place")) : nil,
      kind == "table" ? time("startTime", "at") : nil, kind == "table" ? time("endTime", "to") : nil,
      member("reservationFor", thing))
  }
}

@Suite("The table of merges")
struct MergeTableTests {
  private static let resolver = TimeResolver(
    zones: TimeZoneDatabase(localTime: "/nonexistent", environmentZone: "UTC"))
  private static let finder = ZoneFinder(zones: resolver.zones)

  private let store: CalendarStore
  private let inbox: SuggestionInbox
  private let resolver = Self.resolver
  private let reader = ReservationReader(finder: Self.finder)
  /// The 1st of April 2027, when all mails are read.
  private let now = Instant(seconds: 1_806_537_600)

  init() throws {
    store = try CalendarStore()
    inbox = try store.read { [now] reader in
      try SuggestionInbox(
        reader, resolver: Self.resolver, alarms: ReservationAlarms(), at: now, acceptsUpdates: true)
    }
  }

  @Test("is long enough")
  func length() {
    #expect(Merge.all.count { $0.mails.count == 2 } >= 120)
    #expect(Merge.all.count { $0.mails.count == 3 } >= 50)
  }

  @Test("holds in all orders of reading", arguments: Merge.all)
  fileprivate func waiting(merge: Merge) throws {
    for mails in merge.mails.permutations { try MergeTableTests().waiting(mails, merge) }
  }

  private func waiting(_ mails: [String], _ merge: Merge) throws {
    for mail in mails { try scan(mail) }
    try check(merge, mails)
  }

  @Test("holds for what was accepted meanwhile", arguments: Merge.all)
  fileprivate func accepted(merge: Merge) throws {
    for mails in merge.mails.permutations { try MergeTableTests().accepted(mails, merge) }
  }

  /// Accepts what the first mail says.
  private func accepted(_ mails: [String], _ merge: Merge) throws {
    try scan(mails[0])
    try store.write { writer in
      for waiting in try writer.reader.suggestions() where waiting.state == .proposed {
        _ = try inbox.accept(
          waiting.id, into: { try $0.defaultCalendar(for: .events).id }, in: writer)
      }
    }
    for mail in mails[1...] { try scan(mail) }
    try check(merge, mails)
    // Each event is what its suggestion says.
    for suggestion in try current() {
      guard let item = suggestion.item, let reservation = reservation(suggestion) else { continue }
      let event = try store.read { try $0.item(item) }
      let isWhole = reservation.end?.isDay ?? false
      let start = reservation.start?.calendarTime(in: resolver.zones)
      #expect(isWhole ? event?.start?.day == start?.day : event?.start == start)
      #expect((event?.event?.status == .cancelled) == (reservation.status == .cancelled))
    }
  }

  private func scan(_ mail: String) throws {
    let document = reader.scan(BookingMail(mail).bytes())
    #expect(!document.reservations.isEmpty)
    try store.write { writer in _ = try inbox.take(document, in: writer) }
  }

  private func reservation(_ suggestion: Suggestion) -> Reservation? {
    reader.reservations(inJSON: Array(suggestion.content.utf8)).first
  }

  /// The suggestions that stand for themselves, by time.
  private func current() throws -> [Suggestion] {
    try store.read { reader in
      try reader.suggestions().filter { try $0.state != .superseded && reader.update(of: $0.id) == nil }
    }.filter { reservation($0)?.isFragment == false }
  }

  private func check(_ merge: Merge, _ mails: [String]) throws {
    var known = try current().compactMap { suggestion in
      reservation(suggestion).map { (suggestion, $0) }
    }
    known.sort { a, b in
      func key(_ one: Reservation) -> (Int64, String) {
        let names = [one.title, one.number, one.reference].compactMap { $0 }
        return (one.start?.civil.secondsSinceEpoch ?? 0, names.joined(separator: " "))
      }
      return key(a.1) < key(b.1)
    }
    try #require(known.count == merge.result.count, "\(mails): \(known.map(\.1.jsonLD.line))")
    for (result, (suggestion, reservation)) in zip(merge.result, known) {
      for word in result {
        let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
        let value = Self.value(pair[0], of: reservation, suggestion)
        let isAnswered = pair[0] == "state" && suggestion.item != nil
        let expected = pair.count == 2 ? pair[1].replacing("_", with: " ") : ""
        #expect(isAnswered || value == expected, "\(pair[0]): \(mails)")
      }
    }
  }

  /// What the table calls `name`.
  private static func value(
    _ name: String, of reservation: Reservation, _ suggestion: Suggestion
  ) -> String? {
    func time(_ time: ReservationTime?) -> String {
      guard let time else { return "-" }
      let day = "\(time.civil.day.components.day)"
      if time.isDay { return day }
      let clock = time.civil.description.split(separator: "T")[1].prefix(5)
      return "\(day).\(clock)" + (time.utcOffset.map { "+\($0 / 3600)" } ?? "")
    }
    func list(_ texts: [String]) -> String { texts.sorted().joined(separator: ",") }
    switch name {
    case "at": return time(reservation.start)
    case "to": return time(reservation.end)
    case "board": return time(reservation.boarding)
    case "checkin": return time(reservation.checkIn)
    case "seat": return list(reservation.seats)
    case "ticket": return list(reservation.tickets)
    case "who": return list(reservation.travellers)
    case "gone": return list(reservation.cancelledTravellers)
    case "status": return (reservation.status ?? .confirmed).rawValue.lowercased()
    case "state": return suggestion.state.rawValue
    case "gate": return reservation.details[.gate]
    case "group": return reservation.allDetails[.boardingGroup]
    case "no": return reservation.number
    case "by": return reservation.provider
    case "ref": return reservation.reference
    case "name": return reservation.title
    case "place": return reservation.place.flatMap { $0.address ?? $0.name }
    case "size": return reservation.partySize.map(String.init)
    default: return nil
    }
  }
}

extension Array {
  /// All orders.
  var permutations: [[Element]] {
    guard count > 1 else { return [self] }
    return indices.flatMap { index in
      var rest = self
      let first = rest.remove(at: index)
      return rest.permutations.map { [first] + $0 }
    }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
