import FencepostGeodesy
public import Foundation

/// An area that an app can monitor. Abstract: see ``CLCircularRegion``.
open class CLRegion: NSObject, NSCopying, NSSecureCoding {
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

  /// True.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a region from an archive; `nil` without an identifier.
  public required init?(coder: NSCoder) {
    guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier") else { return nil }
    self.identifier = identifier as String
    notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
    notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
  }

  /// Writes the region to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(identifier as NSString, forKey: "identifier")
    coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
    coder.encode(notifyOnExit, forKey: "notifyOnExit")
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

  /// Reads a circle from an archive; `nil` without a middle.
  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "latitude"), coder.containsValue(forKey: "longitude") else {
      return nil
    }
    center = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"), longitude: coder.decodeDouble(forKey: "longitude"))
    radius = coder.decodeDouble(forKey: "radius")
    super.init(coder: coder)
  }

  /// Writes the circle to an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(center.latitude, forKey: "latitude")
    coder.encode(center.longitude, forKey: "longitude")
    coder.encode(radius, forKey: "radius")
  }

  /// A copy.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLCircularRegion(center: center, radius: radius, identifier: identifier)
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    return copy
  }
}
