public import CoreLocation
public import Foundation

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
