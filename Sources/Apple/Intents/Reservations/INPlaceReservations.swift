public import CoreLocation
import FencepostReservations
import Foundation

/// A stay in a hotel.
open class INLodgingReservation: INReservation {
  /// The hotel.
  public let lodgingBusinessLocation: CLPlacemark
  /// From check-in to check-out.
  public let reservationDuration: INDateComponentsRange
  /// The number of adults.
  public let numberOfAdults: Int?
  /// The number of children.
  public let numberOfChildren: Int?

  /// A reservation.
  public init(
    itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
    reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
    actions: [INReservationAction]? = nil, url: URL? = nil, lodgingBusinessLocation: CLPlacemark,
    reservationDuration: INDateComponentsRange, numberOfAdults: Int? = nil, numberOfChildren: Int? = nil
  ) {
    self.lodgingBusinessLocation = lodgingBusinessLocation
    self.reservationDuration = reservationDuration
    self.numberOfAdults = numberOfAdults
    self.numberOfChildren = numberOfChildren
    super.init(
      Common(
        itemReference: itemReference, reservationNumber: reservationNumber, bookingTime: bookingTime,
        reservationStatus: reservationStatus, reservationHolderName: reservationHolderName, actions: actions,
        url: url))
  }

  override var kind: Reservation.Kind { .hotel }

  override func write(to reservation: inout Reservation, terms: BookingTerms) {
    terms.write(reservationDuration, to: &reservation)
    if numberOfAdults != nil || numberOfChildren != nil {
      reservation.partySize = (numberOfAdults ?? 0) + (numberOfChildren ?? 0)
    }
    terms.writeVenue(lodgingBusinessLocation, of: self, to: &reservation)
  }
}

/// A table in a restaurant.
open class INRestaurantReservation: INReservation {
  /// Start and end.
  public let reservationDuration: INDateComponentsRange
  /// The number of people.
  public let partySize: Int?
  /// The restaurant.
  public let restaurantLocation: CLPlacemark

  /// A reservation.
  public init(
    itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
    reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
    actions: [INReservationAction]? = nil, url: URL? = nil, reservationDuration: INDateComponentsRange,
    partySize: Int? = nil, restaurantLocation: CLPlacemark
  ) {
    self.reservationDuration = reservationDuration
    self.partySize = partySize
    self.restaurantLocation = restaurantLocation
    super.init(
      Common(
        itemReference: itemReference, reservationNumber: reservationNumber, bookingTime: bookingTime,
        reservationStatus: reservationStatus, reservationHolderName: reservationHolderName, actions: actions,
        url: url))
  }

  override var kind: Reservation.Kind { .restaurant }

  override func write(to reservation: inout Reservation, terms: BookingTerms) {
    terms.write(reservationDuration, to: &reservation)
    reservation.partySize = partySize
    terms.writeVenue(restaurantLocation, of: self, to: &reservation)
  }
}
