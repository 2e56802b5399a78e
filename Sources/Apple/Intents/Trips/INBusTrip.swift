public import CoreLocation
public import Foundation

/// A journey by bus.
open class INBusTrip: NSObject, NSCopying {
  /// The company.
  public let provider: String?
  /// The line's name.
  public let busName: String?
  /// The line's number.
  public let busNumber: String?
  /// Departure and arrival.
  public let tripDuration: INDateComponentsRange
  /// Where it departs.
  public let departureBusStopLocation: CLPlacemark
  /// The platform there.
  public let departurePlatform: String?
  /// Where it arrives.
  public let arrivalBusStopLocation: CLPlacemark
  /// The platform there.
  public let arrivalPlatform: String?

  /// A journey.
  public init(
    provider: String?, busName: String?, busNumber: String?, tripDuration: INDateComponentsRange,
    departureBusStopLocation: CLPlacemark, departurePlatform: String?, arrivalBusStopLocation: CLPlacemark,
    arrivalPlatform: String?
  ) {
    self.provider = provider
    self.busName = busName
    self.busNumber = busNumber
    self.tripDuration = tripDuration
    self.departureBusStopLocation = departureBusStopLocation
    self.departurePlatform = departurePlatform
    self.arrivalBusStopLocation = arrivalBusStopLocation
    self.arrivalPlatform = arrivalPlatform
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
