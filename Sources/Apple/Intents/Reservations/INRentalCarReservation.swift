public import CoreLocation
import FencepostReservations
public import Foundation

/// A rented car.
open class INRentalCarReservation: INReservation {
  /// The car.
  public let rentalCar: INRentalCar
  /// From pick-up to drop-off.
  public let rentalDuration: INDateComponentsRange
  /// Where the car is picked up.
  public let pickupLocation: CLPlacemark?
  /// Where it is returned.
  public let dropOffLocation: CLPlacemark?

  /// A reservation.
  public init(
    itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
    reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
    actions: [INReservationAction]? = nil, url: URL? = nil, rentalCar: INRentalCar,
    rentalDuration: INDateComponentsRange, pickupLocation: CLPlacemark?, dropOffLocation: CLPlacemark?
  ) {
    self.rentalCar = rentalCar
    self.rentalDuration = rentalDuration
    self.pickupLocation = pickupLocation
    self.dropOffLocation = dropOffLocation
    super.init(
      Common(
        itemReference: itemReference, reservationNumber: reservationNumber, bookingTime: bookingTime,
        reservationStatus: reservationStatus, reservationHolderName: reservationHolderName, actions: actions,
        url: url))
  }

  override var kind: Reservation.Kind { .car }

  override func write(to reservation: inout Reservation, terms: BookingTerms) {
    terms.write(rentalDuration, to: &reservation)
    reservation.provider = rentalCar.rentalCompanyName
    reservation.title = rentalCar.rentalCompanyName
    let words = [rentalCar.make, rentalCar.model].compactMap { $0 }.joined(separator: " ")
    reservation.details[.vehicle] = words.isEmpty ? rentalCar.rentalCarDescription ?? rentalCar.type : words
    reservation.place = terms.place(pickupLocation)
    reservation.destination = terms.place(dropOffLocation)
  }
}

/// A rented car.
open class INRentalCar: NSObject, NSCopying {
  /// The company.
  public let rentalCompanyName: String
  /// The type, for example `Compact`.
  public let type: String?
  /// The maker.
  public let make: String?
  /// The model.
  public let model: String?
  /// Other details.
  public let rentalCarDescription: String?

  /// A car.
  public init(
    rentalCompanyName: String, type: String?, make: String?, model: String?, rentalCarDescription: String?
  ) {
    self.rentalCompanyName = rentalCompanyName
    self.type = type
    self.make = make
    self.model = model
    self.rentalCarDescription = rentalCarDescription
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
