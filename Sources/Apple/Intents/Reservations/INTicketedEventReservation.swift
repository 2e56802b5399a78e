import FencepostReservations
public import Foundation

/// Tickets for an event.
open class INTicketedEventReservation: INReservation {
  /// The seat.
  public let reservedSeat: INSeat?
  /// The event.
  public let event: INTicketedEvent

  /// A reservation.
  public init(
    itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
    reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
    actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat?, event: INTicketedEvent
  ) {
    self.reservedSeat = reservedSeat
    self.event = event
    super.init(
      Common(
        itemReference: itemReference, reservationNumber: reservationNumber, bookingTime: bookingTime,
        reservationStatus: reservationStatus, reservationHolderName: reservationHolderName, actions: actions,
        url: url))
  }

  override var kind: Reservation.Kind { .event }

  override func write(to reservation: inout Reservation, terms: BookingTerms) {
    terms.write(reservedSeat, to: &reservation)
    terms.write(event.eventDuration, to: &reservation)
    reservation.title = event.name
    reservation.place = terms.place(event.location)
  }
}
