import FencepostReservations
public import Foundation

/// A journey by bus.
open class INBusReservation: INReservation {
  /// The seat.
  public let reservedSeat: INSeat?
  /// The journey.
  public let busTrip: INBusTrip

  /// A reservation.
  public init(
    itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
    reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
    actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat?, busTrip: INBusTrip
  ) {
    self.reservedSeat = reservedSeat
    self.busTrip = busTrip
    super.init(
      Common(
        itemReference: itemReference, reservationNumber: reservationNumber, bookingTime: bookingTime,
        reservationStatus: reservationStatus, reservationHolderName: reservationHolderName, actions: actions,
        url: url))
  }

  override var kind: Reservation.Kind { .bus }

  override func write(to reservation: inout Reservation, terms: BookingTerms) {
    terms.write(reservedSeat, to: &reservation)
    terms.write(busTrip.tripDuration, to: &reservation)
    reservation.provider = busTrip.provider
    reservation.number = busTrip.busNumber ?? busTrip.busName
    reservation.place = terms.place(busTrip.departureBusStopLocation)
    reservation.destination = terms.place(busTrip.arrivalBusStopLocation)
    reservation.details[.platform] = busTrip.departurePlatform
    reservation.details[.arrivalPlatform] = busTrip.arrivalPlatform
  }
}
