public import CoreLocation
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

/// The category of an event with tickets.
public enum INTicketedEventCategory: Int, Sendable {
  case unknown = 0
  case movie = 1
}

/// An event with tickets.
open class INTicketedEvent: NSObject, NSCopying {
  /// The category.
  public let category: INTicketedEventCategory
  /// Its name.
  public let name: String
  /// Start and end.
  public let eventDuration: INDateComponentsRange
  /// The place.
  public let location: CLPlacemark?

  /// An event.
  public init(
    category: INTicketedEventCategory, name: String, eventDuration: INDateComponentsRange,
    location: CLPlacemark?
  ) {
    self.category = category
    self.name = name
    self.eventDuration = eventDuration
    self.location = location
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
