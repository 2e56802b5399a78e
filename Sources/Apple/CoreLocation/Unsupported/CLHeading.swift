public import Foundation

/// The device's heading. There is no compass here, so no app ever gets one.
open class CLHeading: NSObject {
  /// Degrees from magnetic north.
  public let magneticHeading: CLLocationDirection
  /// Degrees from true north; negative if unknown.
  public let trueHeading: CLLocationDirection
  /// The largest error in degrees; negative if invalid.
  public let headingAccuracy: CLLocationDirection
  /// When it was measured.
  public let timestamp: Date

  init(at timestamp: Date) {
    magneticHeading = 0
    trueHeading = -1
    headingAccuracy = -1
    self.timestamp = timestamp
  }
}

/// A visit to a place. They are not detected here, so no app ever gets one.
open class CLVisit: NSObject {
  /// When it began; the distant past if unknown.
  public let arrivalDate: Date
  /// When it ended; the distant future if it goes on.
  public let departureDate: Date
  /// Where it was.
  public let coordinate: CLLocationCoordinate2D
  /// The radius of uncertainty in metres.
  public let horizontalAccuracy: CLLocationAccuracy

  init(at coordinate: CLLocationCoordinate2D, accuracy: CLLocationAccuracy) {
    arrivalDate = .distantPast
    departureDate = .distantFuture
    self.coordinate = coordinate
    horizontalAccuracy = accuracy
  }
}
