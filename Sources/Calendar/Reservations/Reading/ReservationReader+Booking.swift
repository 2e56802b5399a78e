import FencepostSpatiotemporal

/// Properties of all kinds.
extension ReservationReader {
  /// Reads the booking; missing fields come from the package that contains it.
  func readBooking(_ item: MarkupItem, within package: MarkupItem?, into reservation: inout Reservation) {
    func text(_ names: String...) -> String? { item.texts(names).first ?? package?.texts(names).first }
    reservation.reference = text("reservationId", "reservationNumber", "confirmationNumber")
    reservation.phrase = item.text("alternateName")
    reservation.status = Self.status(text("reservationStatus"))
    reservation.provider = text("provider", "broker", "bookingAgent")
    let names = item.texts(["underName"])
    reservation.travellers = Self.unique(names.isEmpty ? package?.texts(["underName"]) ?? [] : names)
    reservation.modified = Self.instant(text("modifiedTime", "dateModified"))
    let tickets = item.items("reservedTicket")
    let seatItems =
      tickets.flatMap { $0.items("ticketedSeat") } + item.items("ticketedSeat")
      + (item.text("venueSeat") == nil ? [] : [item])
    reservation.seats = Self.unique(
      seatItems.compactMap(Self.seat) + item.texts(["airplaneSeat", "seat", "seatNumber"]))
    reservation.tickets = Self.unique(
      tickets.compactMap { $0.text("ticketNumber") } + item.texts(["ticketNumber"]))
    reservation.partySize = item.text("partySize", "numAdults").flatMap { Int($0) }.flatMap {
      (1...10_000).contains($0) ? $0 : nil
    }
    if let member = item.items("programMembershipUsed").first {
      reservation.details[.loyalty] = member.text("membershipNumber", "memberNumber")
    }
    if let price = item.text("totalPrice", "price") {
      reservation.details[.price] = [price, item.text("priceCurrency")].compactMap { $0 }.joined(
        separator: " ")
    }
    reservation.details[.boardingGroup] = item.text("boardingGroup")
    reservation.details[.boardingNumber] = item.text("passengerSequenceNumber")
    reservation.checkIn = Self.time(item, "webCheckinTime", "checkinOpens")
    setLinks(of: item, in: &reservation)
  }

  /// Sets the addresses of the booking, and of its actions.
  func setLinks(of item: MarkupItem, in reservation: inout Reservation) {
    func set(_ link: Reservation.Link, _ values: [MarkupItem.Value]) {
      guard reservation.links[link] == nil else { return }
      reservation.links[link] = values.lazy.compactMap(Self.address).first
    }
    set(.page, item.values(["url"]))
    set(.modify, item.values(["modifyReservationUrl"]))
    set(.cancel, item.values(["cancelReservationUrl"]))
    set(.checkIn, item.values(["checkinUrl"]))
    for action in item.items("potentialAction", "action") {
      let target = action.values(["target", "url"])
      if action.isA("CheckInAction") { set(.checkIn, target) }
      if action.isA("CancelAction") { set(.cancel, target) }
      if action.isA("UpdateAction") { set(.modify, target) }
      if action.isA("ViewAction") { set(.page, target) }
    }
  }

  private static func address(_ value: MarkupItem.Value) -> String? {
    switch value {
    case .text(let text): PlainText.webAddress(text)
    case .item(let item): item.values(["urlTemplate", "url", "@id"]).lazy.compactMap(address).first
    }
  }

  /// Both spellings, with or without an address, in any case.
  private static func status(_ text: String?) -> Reservation.Status? {
    guard let text else { return nil }
    var name = PlainText.key(JSONLD.localName(text))
    if name.hasPrefix("reservation") { name.removeFirst("reservation".count) }
    if name.hasPrefix("cancel") { return .cancelled }
    return Reservation.Status.allCases.first { $0.rawValue.lowercased() == name }
  }

  private static func seat(_ item: MarkupItem) -> String? {
    let row = item.text("seatRow", "venueRow")
    let number = item.text("seatNumber", "venueSeat")
    let place = [row, number].compactMap { $0 }.joined(separator: row?.last?.isNumber == true ? "" : " ")
    let parts = [item.text("seatSection", "venueSection"), place.isEmpty ? nil : place].compactMap { $0 }
    return parts.isEmpty ? item.text("name") : parts.joined(separator: ", ")
  }

  /// The time under the first of `names` that has a time.
  static func time(_ item: MarkupItem, _ names: String...) -> ReservationTime? {
    for name in names {
      for value in item.values([name]) {
        switch value {
        case .text(let text):
          if let time = ReservationTime(PlainText.line(text) ?? "") { return time }
        case .item(let inner):
          // KItinerary's form, with a separate zone.
          guard let text = inner.text("@value"), var time = ReservationTime(text) else { continue }
          time.zone = inner.text("timezone").map { TimeZoneID(rawValue: $0) }
          time.isDayGuess = inner.text("dayIsGuess") == "true"
          return time
        }
      }
    }
    return nil
  }

  static func instant(_ text: String?) -> Instant? {
    guard let text, let time = ReservationTime(text) else { return nil }
    return time.instant ?? Instant(seconds: time.civil.secondsSinceEpoch)
  }

  static func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return Array(texts.filter { seen.insert($0).inserted }.prefix(100))
  }
}
