internal import CArchive
import Geodesy
import Glibc
import JSON

/// Apple Wallet passes: a ZIP archive with `pass.json`. Reads boarding passes, event tickets and generic
/// passes with a date; ignores signatures, pictures and translations.
///
/// Source: Apple, "Wallet Passes" (Pass, PassFields, SemanticTags).
enum WalletPass {
  /// The longest `pass.json`, in bytes.
  private static let mostBytes = 1 << 20

  /// The `pass.json` of an archive; `nil` if it has none, or one that is too long.
  static func json(in archive: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard let reader = archive_read_new() else { return nil }
    defer { archive_read_free(reader) }
    archive_read_support_format_zip(reader)
    guard archive_read_open_memory(reader, archive.baseAddress, archive.count) == ARCHIVE_OK else {
      return nil
    }
    let locale = carchive_utf8()
    defer { if let locale { freelocale(locale) } }
    var entry: OpaquePointer?
    var path: UnsafePointer<CChar>?
    for _ in 0..<1_000 {
      let code = carchive_next(reader, locale, &entry, &path)
      guard code == ARCHIVE_OK || code == ARCHIVE_WARN else { return nil }
      guard let path, String(cString: path) == "pass.json" else { continue }
      var json = [UInt8](repeating: 0, count: mostBytes + 1)
      let count = json.withUnsafeMutableBytes { archive_read_data(reader, $0.baseAddress, $0.count) }
      guard (1...mostBytes).contains(count) else { return nil }
      return Array(json.prefix(count))
    }
    return nil
  }
}

extension ReservationReader {
  /// The reservation of a Wallet pass; empty if it has none, or no date.
  func reservations(inPass archive: UnsafeBufferPointer<UInt8>) -> [Reservation] {
    guard let json = WalletPass.json(in: archive), let pass = JSONLD.items(in: json).first else { return [] }
    return joined(reservation(ofPass: pass).map { [$0] } ?? [])
  }

  private func reservation(ofPass pass: MarkupItem) -> Reservation? {
    let styles = ["boardingPass", "eventTicket", "generic", "storeCard", "coupon"]
    guard let style = styles.first(where: { !pass.items($0).isEmpty }), let body = pass.items(style).first
    else { return nil }
    let tags = pass.items("semantics").first ?? MarkupItem()
    let fields = PassFields(body)
    var reservation = Reservation(kind: Self.kind(ofPass: style, body, tags))
    reservation.status = pass.text("voided") == "true" ? .cancelled : .confirmed
    reservation.provider = pass.text("organizationName")
    reservation.reference =
      tags.text("confirmationNumber") ?? fields.value([
        "confirmation", "pnr", "booking", "reservation", "reference", "record",
      ])
      ?? pass.text("serialNumber")
    reservation.start =
      Self.time(tags, "originalDepartureDate", "eventStartDate") ?? Self.time(pass, "relevantDate")
      ?? fields.date
    reservation.end = Self.time(tags, "originalArrivalDate", "eventEndDate")
    reservation.boarding = Self.time(tags, "originalBoardingDate")
    let name = tags.items("passengerName").first.map { name in
      [name.text("givenName"), name.text("familyName")].compactMap { $0 }.joined(separator: " ")
    }
    reservation.travellers = [name ?? fields.value(["passenger", "name", "holder"])].compactMap { $0 }
    reservation.seats = [fields.value(["seat"])].compactMap { $0 }
    let location = Self.coordinate(pass.items("locations").first)
    if reservation.kind.isTrip {
      readTrip(ofPass: fields, tags, location, into: &reservation)
    } else {
      reservation.title =
        tags.text("eventName") ?? fields.value(["event", "title"]) ?? fields.primary
        ?? pass.text("description")
      reservation.place = ReservationPlace(
        name: tags.text("venueName") ?? fields.value(["venue", "location", "where"]),
        coordinate: Self.coordinate(tags.items("venueLocation").first) ?? location)
      if reservation.place == ReservationPlace() { reservation.place = nil }
    }
    return finished(reservation)
  }

  private static func kind(ofPass style: String, _ body: MarkupItem, _ tags: MarkupItem) -> Reservation.Kind {
    guard style == "boardingPass" else { return .event }
    switch body.text("transitType") {
    case "PKTransitTypeTrain": return .train
    case "PKTransitTypeBus": return .bus
    case "PKTransitTypeBoat": return .boat
    default: return .flight
    }
  }

  private func readTrip(
    ofPass fields: PassFields, _ tags: MarkupItem, _ location: Coordinate?,
    into reservation: inout Reservation
  ) {
    func end(_ name: String, _ words: [String], primary index: Int) -> ReservationPlace? {
      let field = fields.field(words) ?? (fields.primaries.count == 2 ? fields.primaries[index] : nil)
      let texts = [tags.text("\(name)AirportCode"), field?.value, field?.label].compactMap { $0 }
      let code = texts.first { reservation.kind == .flight && Airport.table[$0] != nil }
      let spoken =
        tags.text("\(name)AirportName") ?? tags.text("\(name)StationName")
        ?? tags.text("\(name)LocationDescription")
      let label = spoken ?? texts.first { $0 != code && !["FROM", "TO"].contains($0.uppercased()) }
      guard code != nil || label != nil else { return nil }
      return ReservationPlace(
        name: label, code: code,
        coordinate: Self.coordinate(tags.items("\(name)Location").first)
          ?? (name == "departure" ? location : nil))
    }
    reservation.place = end("departure", ["depart", "origin", "from"], primary: 0)
    reservation.destination = end("destination", ["arriv", "destination", "to"], primary: 1)
    let carrier = [tags.text("airlineCode"), tags.text("flightNumber")].compactMap { $0 }
    let number = tags.text("flightCode") ?? (carrier.count == 2 ? carrier.joined(separator: " ") : nil)
    let spoken = number ?? tags.text("vehicleNumber") ?? fields.value(["flight", "train", "trip"])
    reservation.number =
      reservation.kind == .flight ? spoken.map { Self.flightNumber($0, airline: nil) } : spoken
    reservation.details[.gate] = tags.text("departureGate") ?? fields.value(["gate"])
    reservation.details[.terminal] = tags.text("departureTerminal") ?? fields.value(["terminal"])
    reservation.details[.platform] = tags.text("departurePlatform") ?? fields.value(["platform", "track"])
    reservation.details[.boardingGroup] = tags.text("boardingGroup")
  }

  private static func coordinate(_ item: MarkupItem?) -> Coordinate? {
    item.flatMap { place(.item($0)) }?.coordinate
  }
}

/// The fields of a pass, with names that each issuer chooses.
private struct PassFields {
  struct Field {
    var key: String
    var label: String?
    var value: String
  }

  private(set) var primaries: [Field] = []
  private var all: [Field] = []
  private(set) var date: ReservationTime?

  init(_ body: MarkupItem) {
    for name in ["headerFields", "primaryFields", "secondaryFields", "auxiliaryFields", "backFields"] {
      for item in body.items(name) {
        guard let value = item.text("value") else { continue }
        let field = Field(key: PlainText.key(item.text("key") ?? ""), label: item.text("label"), value: value)
        if name == "primaryFields" { primaries.append(field) }
        all.append(field)
        if date == nil, item.text("dateStyle") != nil { date = ReservationTime(value) }
      }
    }
  }

  /// The first field whose key or label begins with one of `words`.
  func field(_ words: [String]) -> Field? {
    for word in words {
      let found = all.first { field in
        field.key.hasPrefix(word) || PlainText.key(field.label ?? "").hasPrefix(word)
      }
      if let found { return found }
    }
    return nil
  }

  func value(_ words: [String]) -> String? { field(words)?.value }

  var primary: String? { primaries.first?.value }
}
