import FencepostReservations
public import Foundation

/// A flight.
open class INFlightReservation: INReservation {
  /// The seat.
  public let reservedSeat: INSeat?
  /// The flight.
  public let flight: INFlight

  /// A reservation.
  public init(
    itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
    reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
    actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat?, flight: INFlight
  ) {
    self.reservedSeat = reservedSeat
    self.flight = flight
    super.init(
      Common(
        itemReference: itemReference, reservationNumber: reservationNumber, bookingTime: bookingTime,
        reservationStatus: reservationStatus, reservationHolderName: reservationHolderName, actions: actions,
        url: url))
  }

  override var kind: Reservation.Kind { .flight }

  override func write(to reservation: inout Reservation, terms: BookingTerms) {
    terms.write(reservedSeat, to: &reservation)
    terms.write(flight.flightDuration, to: &reservation)
    let (airline, from, to) = (flight.airline, flight.departureAirportGate, flight.arrivalAirportGate)
    let isBare = flight.flightNumber.allSatisfy(\.isNumber)
    reservation.number = [isBare ? airline.iataCode : nil, flight.flightNumber].compactMap { $0 }
      .joined(separator: " ")
    reservation.provider = airline.name ?? airline.iataCode
    reservation.place = ReservationPlace(name: from.airport.name, code: from.airport.iataCode)
    reservation.destination = ReservationPlace(name: to.airport.name, code: to.airport.iataCode)
    reservation.boarding = flight.boardingTime.flatMap { terms.time($0.startDateComponents) }
    reservation.details[.gate] = from.gate
    reservation.details[.terminal] = from.terminal
    reservation.details[.arrivalTerminal] = to.terminal
  }
}

/// A flight.
open class INFlight: NSObject, NSCopying {
  /// The airline.
  public let airline: INAirline
  /// The number, with or without the airline's code.
  public let flightNumber: String
  /// When boarding starts and ends.
  public let boardingTime: INDateComponentsRange?
  /// Departure and arrival.
  public let flightDuration: INDateComponentsRange
  /// Where it departs.
  public let departureAirportGate: INAirportGate
  /// Where it arrives.
  public let arrivalAirportGate: INAirportGate

  /// A flight.
  public init(
    airline: INAirline, flightNumber: String, boardingTime: INDateComponentsRange? = nil,
    flightDuration: INDateComponentsRange, departureAirportGate: INAirportGate,
    arrivalAirportGate: INAirportGate
  ) {
    self.airline = airline
    self.flightNumber = flightNumber
    self.boardingTime = boardingTime
    self.flightDuration = flightDuration
    self.departureAirportGate = departureAirportGate
    self.arrivalAirportGate = arrivalAirportGate
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// An airline.
open class INAirline: NSObject, NSCopying {
  /// Its name.
  public let name: String?
  /// Its code of two characters (IATA).
  public let iataCode: String?
  /// Its code of three letters.
  public let icaoCode: String?

  /// An airline.
  public init(name: String?, iataCode: String?, icaoCode: String?) {
    self.name = name
    self.iataCode = iataCode
    self.icaoCode = icaoCode
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// An airport.
open class INAirport: NSObject, NSCopying {
  /// Its name.
  public let name: String?
  /// Its code of three letters (IATA), which determines its place and time zone.
  public let iataCode: String?
  /// Its code of four letters.
  public let icaoCode: String?

  /// An airport.
  public init(name: String?, iataCode: String?, icaoCode: String?) {
    self.name = name
    self.iataCode = iataCode
    self.icaoCode = icaoCode
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A gate of an airport.
open class INAirportGate: NSObject, NSCopying {
  /// The airport.
  public let airport: INAirport
  /// The terminal.
  public let terminal: String?
  /// The gate.
  public let gate: String?

  /// A gate.
  public init(airport: INAirport, terminal: String?, gate: String?) {
    self.airport = airport
    self.terminal = terminal
    self.gate = gate
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
