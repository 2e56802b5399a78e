public import Foundation
import Reservations

/// How far a reservation is.
public enum INReservationStatus: Int, Sendable {
  case unknown = 0
  case canceled = 1
  case pending = 2
  case hold = 3
  case confirmed = 4
}

/// Something that a person booked in an app. The classes below say what.
///
/// Its number, or without one the identifier of ``itemReference``, tells it from other reservations of the app: donate the same
/// one again with new details, or with the status `canceled`.
open class INReservation: NSObject, NSCopying {
  /// The app's name for the item that was booked.
  public let itemReference: INSpeakableString
  /// The number of the booking.
  public let reservationNumber: String?
  /// When it was booked.
  public let bookingTime: Date?
  /// How far it is.
  public let reservationStatus: INReservationStatus
  /// Who it is for.
  public let reservationHolderName: String?
  /// The actions for it.
  public let actions: [INReservationAction]?
  /// A page about it, for people without the app.
  public let url: URL?

  /// What all reservations have.
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

  /// The same object, because it does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// What was booked.
  var kind: Reservation.Kind { .event }

  /// Writes what this kind of reservation has of its own.
  func write(to reservation: inout Reservation, terms: BookingTerms) {}
}
