import FencepostReservations
public import Foundation

/// A journey by train.
open class INTrainReservation: INReservation {
  /// The seat.
  public let reservedSeat: INSeat?
  /// The journey.
  public let trainTrip: INTrainTrip

  /// A reservation.
  public init(
    itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
    reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
    actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat?, trainTrip: INTrainTrip
  ) {
    self.reservedSeat = reservedSeat
    self.trainTrip = trainTrip
    super.init(
      Common(
        itemReference: itemReference, reservationNumber: reservationNumber, bookingTime: bookingTime,
        reservationStatus: reservationStatus, reservationHolderName: reservationHolderName, actions: actions,
        url: url))
  }

  override var kind: Reservation.Kind { .train }

  override func write(to reservation: inout Reservation, terms: BookingTerms) {
    terms.write(reservedSeat, to: &reservation)
    terms.write(trainTrip.tripDuration, to: &reservation)
    reservation.provider = trainTrip.provider
    reservation.number = trainTrip.trainNumber ?? trainTrip.trainName
    reservation.place = terms.place(trainTrip.departureStationLocation)
    reservation.destination = terms.place(trainTrip.arrivalStationLocation)
    reservation.details[.platform] = trainTrip.departurePlatform
    reservation.details[.arrivalPlatform] = trainTrip.arrivalPlatform
  }
}
