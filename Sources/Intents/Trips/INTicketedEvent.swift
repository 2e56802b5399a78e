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
  /// Where it is.
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

  /// The same object, because it does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
