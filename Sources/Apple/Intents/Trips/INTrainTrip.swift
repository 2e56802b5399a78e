public import CoreLocation
public import Foundation

/// A journey by train.
open class INTrainTrip: NSObject, NSCopying {
  /// The railway.
  public let provider: String?
  /// The train's name.
  public let trainName: String?
  /// The train's number.
  public let trainNumber: String?
  /// Departure and arrival.
  public let tripDuration: INDateComponentsRange
  /// Where it departs.
  public let departureStationLocation: CLPlacemark
  /// The platform there.
  public let departurePlatform: String?
  /// Where it arrives.
  public let arrivalStationLocation: CLPlacemark
  /// The platform there.
  public let arrivalPlatform: String?

  /// A journey.
  public init(
    provider: String?, trainName: String?, trainNumber: String?, tripDuration: INDateComponentsRange,
    departureStationLocation: CLPlacemark, departurePlatform: String?, arrivalStationLocation: CLPlacemark,
    arrivalPlatform: String?
  ) {
    self.provider = provider
    self.trainName = trainName
    self.trainNumber = trainNumber
    self.tripDuration = tripDuration
    self.departureStationLocation = departureStationLocation
    self.departurePlatform = departurePlatform
    self.arrivalStationLocation = arrivalStationLocation
    self.arrivalPlatform = arrivalPlatform
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
