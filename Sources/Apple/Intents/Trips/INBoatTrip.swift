public import CoreLocation
public import Foundation

/// A journey by boat.
open class INBoatTrip: NSObject, NSCopying {
  /// The company.
  public let provider: String?
  /// The ship's name.
  public let boatName: String?
  /// The ship's or line's number.
  public let boatNumber: String?
  /// Departure and arrival.
  public let tripDuration: INDateComponentsRange
  /// Where it departs.
  public let departureBoatTerminalLocation: CLPlacemark
  /// Where it arrives.
  public let arrivalBoatTerminalLocation: CLPlacemark

  /// A journey.
  public init(
    provider: String?, boatName: String?, boatNumber: String?, tripDuration: INDateComponentsRange,
    departureBoatTerminalLocation: CLPlacemark, arrivalBoatTerminalLocation: CLPlacemark
  ) {
    self.provider = provider
    self.boatName = boatName
    self.boatNumber = boatNumber
    self.tripDuration = tripDuration
    self.departureBoatTerminalLocation = departureBoatTerminalLocation
    self.arrivalBoatTerminalLocation = arrivalBoatTerminalLocation
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
