import FencepostReservations
public import Foundation

/// The status of a reservation.
public enum INReservationStatus: Int, Sendable {
  case unknown = 0
  case canceled = 1
  case pending = 2
  case hold = 3
  case confirmed = 4
}

/// Something that a person booked in an app. See the subclasses.
///
/// Its number, or without one the identifier of ``itemReference``, identifies it among the app's
/// reservations. Donate it again with new details, or with the status `canceled`.
open class INReservation: NSObject, NSCopying {
  /// The app's name for the booked item.
  public let itemReference: INSpeakableString
  /// The number of the booking.
  public let reservationNumber: String?
  /// When it was booked.
  public let bookingTime: Date?
  /// The status.
  public let reservationStatus: INReservationStatus
  /// The person that it is for.
  public let reservationHolderName: String?
  /// The actions for it.
  public let actions: [INReservationAction]?
  /// A page about it, for people without the app.
  public let url: URL?

  /// The common parts of all reservations.
  struct Common {
    var itemReference: INSpeakableString
    var reservationNumber: String?
    var bookingTime: Date?
    var reservationStatus: INReservationStatus
    var reservationHolderName: String?
    var actions: [INReservationAction]?
    var url: URL?
  }

  init(_ common: Common) {
    itemReference = common.itemReference
    reservationNumber = common.reservationNumber
    bookingTime = common.bookingTime
    reservationStatus = common.reservationStatus
    reservationHolderName = common.reservationHolderName
    actions = common.actions
    url = common.url
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The kind of the booking.
  var kind: Reservation.Kind { .event }

  /// Writes the specific parts of this kind of reservation.
  func write(to reservation: inout Reservation, terms: BookingTerms) {}
}
