public import FencepostGeodesy
public import FencepostSpatiotemporal

/// One leg of a booking: a flight, a stay in a hotel, a table, a seat.
///
/// The values of the markup, cleaned: texts are on one line and bounded, addresses are `http` or `https`.
public struct Reservation: Hashable, Sendable {
  /// The kind of the booked thing.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case flight, train, bus, boat, car, hotel, restaurant, event, taxi

    /// True if it goes from one place to another.
    public var isTrip: Bool {
      switch self {
      case .flight, .train, .bus, .boat: true
      case .car, .hotel, .restaurant, .event, .taxi: false
      }
    }
  }

  /// The status of a booking; `reservationStatus` of schema.org.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    case confirmed = "Confirmed"
    case cancelled = "Cancelled"
    case hold = "Hold"
    case pending = "Pending"
  }

  /// Details for people, without effect on times and places.
  public enum Detail: String, Hashable, Sendable, CaseIterable, Comparable {
    case gate, terminal, platform, arrivalTerminal, arrivalPlatform, boardingGroup, boardingNumber, room,
      vehicle, price
    case phone, loyalty
    /// When the doors open, if the show starts later.
    case doors
    /// An end that was left out because it is before the start.
    case wrongEnd

    /// In the order of the declaration.
    public static func < (a: Self, b: Self) -> Bool {
      (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
  }

  /// Pages where people can act on the booking.
  public enum Link: String, Hashable, Sendable, CaseIterable {
    case page, modify, cancel, checkIn
  }

  /// The kind of the booked thing.
  public var kind: Kind
  /// The status of the booking; `nil` if unknown.
  public var status: Status?
  /// True for an event without a booking: it is only an offer.
  public var isOffer = false
  /// The booking's number. Legs of one booking share it.
  public var reference: String?
  /// The company that took the booking: the airline, the restaurant's agent.
  public var provider: String?
  /// The people who travel or come, with their seats and tickets.
  public var people: [ReservationPerson] = []
  /// The name of the event, hotel or restaurant, or of the car's company.
  public var title: String?
  /// The name of its event, if its app gave one.
  public var phrase: String?
  /// The number of the flight with its airline (`LH 400`), or of the train, bus or ship.
  public var number: String?
  /// The start of a trip, or the place.
  public var place: ReservationPlace?
  /// The end of a trip, or where a car is returned.
  public var destination: ReservationPlace?
  /// When it starts: departure, check-in, doors.
  public var start: ReservationTime?
  /// When it ends.
  public var end: ReservationTime?
  /// True if the end was missing and is a guess.
  public var isEndAssumed = false
  /// When boarding starts.
  public var boarding: ReservationTime?
  /// When check-in opens.
  public var checkIn: ReservationTime?
  /// The number of its Wallet pass, for a pass without a booking's number.
  public var serial: String?
  /// The number of people.
  public var partySize: Int?
  /// Details for people.
  public var details: [Detail: String] = [:]
  /// Addresses, `http` or `https` only.
  public var links: [Link: String] = [:]
  /// When the booking was last changed; orders two versions.
  public var modified: Instant?

  /// An empty booking.
  public init(kind: Kind) { self.kind = kind }

  /// True for a cancellation that only has the number of its booking.
  public var isMinimalCancellation: Bool {
    status == .cancelled && reference != nil && start == nil && place == nil && destination == nil
      && title == nil && number == nil
  }

  /// True for a boarding pass or markup without a date that names its booking, and which flight or train of it,
  /// and has something to add: a ticket, a seat, a gate.
  public var isAddition: Bool {
    start == nil && !isMinimalCancellation && reference != nil && !isOffer && status != .cancelled
      && (!kind.isTrip || number != nil || place != nil && destination != nil)
      && (!details.isEmpty
        || people.contains { person in
          !person.seats.isEmpty || !person.tickets.isEmpty || !person.codes.isEmpty || !person.details.isEmpty
        })
  }

  /// True for what only means something beside the booking that it names.
  public var isFragment: Bool { isMinimalCancellation || isAddition }
}

/// A place of a booking.
public struct ReservationPlace: Hashable, Sendable {
  /// Its name.
  public var name: String?
  /// The IATA code of an airport, in capital letters.
  public var code: String?
  /// Its postal address on one line.
  public var address: String?
  /// Its town.
  public var locality: String?
  /// Its country as written: a code of two letters or a name.
  public var country: String?
  /// Its position.
  public var coordinate: Coordinate?

  /// A place.
  public init(
    name: String? = nil, code: String? = nil, address: String? = nil, locality: String? = nil,
    country: String? = nil, coordinate: Coordinate? = nil
  ) {
    self.name = name
    self.code = code
    self.address = address
    self.locality = locality
    self.country = country
    self.coordinate = coordinate
  }

  /// The name that people know: its name, otherwise its code, town or address.
  public var label: String? { name ?? code ?? locality ?? address }

  /// The airport with its code, if the table has it.
  var airport: Airport? { code.flatMap { Airport.table[$0] } }

  /// This place, with missing details from the table of airports.
  func completed() -> ReservationPlace {
    guard let airport else { return self }
    var place = self
    place.name = name ?? airport.name
    place.locality = locality ?? airport.city
    place.country = country ?? airport.country
    place.coordinate = coordinate ?? airport.coordinate
    return place
  }
}
