public import FencepostCalendarModel
public import FencepostGeodesy
import FencepostICalendar
import FencepostJSON
public import FencepostRecurrence
import FencepostSpatiotemporal

extension Reservation {
  /// The property that keeps the reservation with its event, as JSON-LD in TEXT.
  public static let propertyName = "X-FENCEPOST-RESERVATION"

  /// The event of a calendar for this reservation; `nil` if it has no start.
  ///
  /// Stays in hotels and rented cars do not take the time. What is cancelled is an event with that status,
  /// whose alarms do not go off.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - uid: The event's UID; the same one for each version.
  ///   - zones: The zones of its times.
  ///   - alarms: Which alarms it gets.
  ///   - position: Where the person is, for the alarm to leave; `nil` if unknown.
  public func event(
    in calendar: Identifier<ItemCalendar>, uid: String, zones: TimeZoneDatabase = .system,
    alarms: ReservationAlarms = ReservationAlarms(), from position: Coordinate? = nil
  ) -> CalendarItem? {
    guard let span = span(in: zones) else { return nil }
    var details = EventDetails(start: span.start, end: span.end)
    details.availability = kind == .hotel || kind == .car ? .free : .busy
    details.status =
      switch status {
      case .cancelled: .cancelled
      case .hold, .pending: .tentative
      case .confirmed, nil: .confirmed
      }
    var item = CalendarItem(
      id: Identifier(rawValue: uid), calendar: calendar, uid: uid, title: eventTitle, details: .event(details)
    )
    item.timeZone = span.start.zone
    item.structuredLocation = location
    item.location = place.flatMap { place in
      let (name, address) = (place.label, place.address ?? place.locality)
      // Without a name, the place is called by its street.
      if let name, let address, address.hasPrefix(name) { return address }
      let parts = [name, address].compactMap { $0 }
      return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
    item.url = links[.page] ?? links[.modify]
    item.notes = notes
    item.alarms = alarms.alarms(for: self, uid: uid, zones: zones, from: position)
    item.preserved.properties = ["\(Self.propertyName):\(TextValue.encode(jsonLD.line))"]
    return item
  }

  /// The reservation that an event keeps; `nil` if it keeps none.
  public init?(keptBy item: CalendarItem, reader: ReservationReader) {
    let prefix = "\(Self.propertyName):"
    guard let line = item.preserved.properties.first(where: { $0.hasPrefix(prefix) }) else { return nil }
    let json = TextValue.decode(Array(line.utf8.dropFirst(prefix.utf8.count))[...])
    guard let reservation = reader.reservations(inJSON: Array(json.utf8)).first else { return nil }
    self = reservation
  }

  /// When the event starts and ends; the end is after the start.
  private func span(in zones: TimeZoneDatabase) -> (start: CalendarTime, end: CalendarTime)? {
    guard let start else { return nil }
    let from = start.calendarTime(in: zones)
    guard var end else {
      let length: Int64 = kind.isTrip ? 3600 : 1800
      return (
        from,
        from.isDate ? .date(from.day.adding(days: 1)) : start.adding(seconds: length).calendarTime(in: zones)
      )
    }
    // If one of the two is a day, the event has whole days.
    if start.isDay || end.isDay {
      return (.date(start.civil.day), .date(max(end.civil.day, start.civil.day).adding(days: 1)))
    }
    if end.isFloating != start.isFloating, end.zone == nil, end.utcOffset == nil { end.zone = start.zone }
    return (from, end.calendarTime(in: zones))
  }

  /// The name of the event.
  public var eventTitle: String {
    if let phrase { return phrase }
    let way = [place, destination].compactMap { $0?.shortLabel }.joined(separator: " – ")
    switch kind {
    case .flight: return ["Flight", number, way].compactMap { $0 }.joined(separator: " ")
    case .train, .bus, .boat:
      let word = kind == .train ? "Train" : kind == .bus ? "Bus" : "Boat"
      let name = number.map { $0.first?.isNumber ?? true ? "\(word) \($0)" : $0 }
      return [name ?? word, way].joined(separator: " ")
    case .car: return "Rental car: \(title ?? place?.label ?? "")"
    case .hotel: return "Hotel: \(title ?? "")"
    case .restaurant: return "Table at \(title ?? "")"
    case .event: return title ?? "Event"
    case .taxi: return ["Taxi", title, way].compactMap { $0 }.joined(separator: " ")
    }
  }

  /// Where it starts, as a place with a fence.
  public var location: StructuredLocation? { place?.structured(isAirport: kind == .flight) }

  /// Details for people, beside the title and the times.
  private var notes: String {
    var lines: [String] = []
    func add(_ label: String, _ text: String?) {
      if let text, !text.isEmpty { lines.append("\(label): \(text)") }
    }
    add("Reference", reference)
    add("With", provider == title ? nil : provider)
    add("For", travellers.joined(separator: ", "))
    add("People", partySize.map(String.init))
    add("Not any more", cancelledTravellers.joined(separator: ", "))
    add(seats.count > 1 ? "Seats" : "Seat", seats.joined(separator: "; "))
    add("Tickets", tickets.joined(separator: ", "))
    add("To", kind.isTrip ? nil : destination?.label)
    if let boarding { add("Boarding", boarding.civil.clock) }
    let details = allDetails
    for detail in details.keys.sorted() { add(detail.label, details[detail]) }
    add("Check in", links[.checkIn])
    add("Change", links[.modify])
    add("Cancel", links[.cancel])
    if start?.isFloating ?? false {
      lines.append("The times are local to the place; its time zone is not known.")
    }
    if isEndAssumed { lines.append("The end is a guess.") }
    if start?.isDayGuess ?? false { lines.append("Day and month may be the other way round.") }
    return lines.joined(separator: "\n")
  }
}

extension ReservationPlace {
  /// For a title: the town of an airport, else the name.
  fileprivate var shortLabel: String? { code == nil ? label : locality ?? label }

  /// This place for a calendar. Airports are large.
  public func structured(isAirport: Bool) -> StructuredLocation? {
    guard let label else { return nil }
    return StructuredLocation(
      title: label, coordinate: coordinate, radius: isAirport ? 2_000 : 0, address: address)
  }
}

extension Reservation.Detail {
  var label: String {
    switch self {
    case .gate: "Gate"
    case .terminal: "Terminal"
    case .platform: "Platform"
    case .arrivalTerminal: "Terminal of arrival"
    case .arrivalPlatform: "Platform of arrival"
    case .boardingGroup: "Boarding group"
    case .boardingNumber: "Boarding number"
    case .room: "Room"
    case .vehicle: "Car"
    case .price: "Price"
    case .phone: "Phone"
    case .loyalty: "Membership"
    case .doors: "Doors"
    case .wrongEnd: "End as written, before the start"
    }
  }
}

extension CivilDateTime {
  /// Hours and minutes.
  var clock: String {
    "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}
