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
