import FencepostReservations
public import Foundation

/// A journey by boat.
open class INBoatReservation: INReservation {
  /// The seat.
  public let reservedSeat: INSeat?
  /// The journey.
  public let boatTrip: INBoatTrip

  /// A reservation.
  public init(
    itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
    reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
    actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat?, boatTrip: INBoatTrip
  ) {
    self.reservedSeat = reservedSeat
    self.boatTrip = boatTrip
    super.init(
      Common(
        itemReference: itemReference, reservationNumber: reservationNumber, bookingTime: bookingTime,
        reservationStatus: reservationStatus, reservationHolderName: reservationHolderName, actions: actions,
        url: url))
  }

  override var kind: Reservation.Kind { .boat }

  override func write(to reservation: inout Reservation, terms: BookingTerms) {
    terms.write(reservedSeat, to: &reservation)
    terms.write(boatTrip.tripDuration, to: &reservation)
    reservation.provider = boatTrip.provider
    reservation.number = boatTrip.boatNumber ?? boatTrip.boatName
    reservation.place = terms.place(boatTrip.departureBoatTerminalLocation)
    reservation.destination = terms.place(boatTrip.arrivalBoatTerminalLocation)
  }
}
