public import Foundation
import Geodesy

/// Where a device is with respect to a region.
public enum CLRegionState: Int, Sendable {
  case unknown = 0
  case inside = 1
  case outside = 2
}

/// How near a device is to something.
public enum CLProximity: Int, Sendable {
  case unknown = 0, immediate, near, far
}

/// An area that can be watched. Abstract: see ``CLCircularRegion``.
open class CLRegion: NSObject, NSCopying {
  /// The name by which an app knows it.
  public let identifier: String
  /// True where an app wants to know of entries.
  open var notifyOnEntry = true
  /// True where an app wants to know of exits.
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

  /// By identifier.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLRegion)?.identifier == identifier
  }

  /// By identifier.
  open override var hash: Int { identifier.hashValue }
}

/// A circle on the Earth.
open class CLCircularRegion: CLRegion {
  /// Its middle.
  public let center: CLLocationCoordinate2D
  /// Its radius in metres.
  public let radius: CLLocationDistance

  /// A circle of `radius` metres around `center`.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    self.center = center
    self.radius = radius
    super.init(identifier: identifier)
  }

  /// True where the geodesic distance of `coordinate` from the middle is the radius or less, on WGS 84.
  /// False for a coordinate that is not valid.
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
