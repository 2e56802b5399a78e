import FencepostGeodesy
public import Foundation

/// An area that an app can monitor. Abstract: see ``CLCircularRegion``.
open class CLRegion: NSObject, NSCopying {
  /// The app's name for the region.
  public let identifier: String
  /// True to notify the app of entries.
  open var notifyOnEntry = true
  /// True to notify the app of exits.
  open var notifyOnExit = true

  init(identifier: String) {
    self.identifier = identifier
  }

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLRegion(identifier: identifier)
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    return copy
  }

  /// Compares identifiers.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLRegion)?.identifier == identifier
  }

  /// Hashes the identifier.
  open override var hash: Int { identifier.hashValue }
}

/// A circular region.
open class CLCircularRegion: CLRegion {
  /// The middle of the circle.
  public let center: CLLocationCoordinate2D
  /// The radius in metres.
  public let radius: CLLocationDistance

  /// A circle of `radius` metres around `center`.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    self.center = center
    self.radius = radius
    super.init(identifier: identifier)
  }

  /// True if the geodesic distance of `coordinate` from the middle is at most the radius, on WGS 84. False
  /// for an invalid coordinate.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    guard CLLocationCoordinate2DIsValid(coordinate), CLLocationCoordinate2DIsValid(center) else {
      return false
    }
    return Geodesic.distance(from: center.geodetic, to: coordinate.geodetic) <= radius
  }

  /// A copy.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLCircularRegion(center: center, radius: radius, identifier: identifier)
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    return copy
  }
}
