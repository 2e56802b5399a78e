public import Foundation

// Beacons: there is no receiver for them here. The types exist for code that names them; monitoring and
// ranging fail with an error that says so.

/// The numbers of beacons.
public typealias CLBeaconMajorValue = UInt16
/// The numbers of beacons.
public typealias CLBeaconMinorValue = UInt16

/// The identity of beacons.
open class CLBeaconIdentityConstraint: NSObject, NSCopying {
  /// Their identity.
  public let uuid: UUID
  /// Their first number; `nil` for any.
  public let major: CLBeaconMajorValue?
  /// Their second number; `nil` for any.
  public let minor: CLBeaconMinorValue?

  /// All beacons of an identity.
  public convenience init(uuid: UUID) { self.init(uuid, nil, nil) }

  /// The beacons of an identity with a first number.
  public convenience init(uuid: UUID, major: CLBeaconMajorValue) { self.init(uuid, major, nil) }

  /// The beacons of an identity with two numbers.
  public convenience init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    self.init(uuid, major, minor)
  }

  init(_ uuid: UUID, _ major: CLBeaconMajorValue?, _ minor: CLBeaconMinorValue?) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Compares the identity and the numbers.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLBeaconIdentityConstraint else { return false }
    return (uuid, major, minor) == (other.uuid, other.major, other.minor)
  }

  /// Hashes the identity.
  open override var hash: Int { uuid.hashValue }
}

/// A region near beacons. It can't be monitored here.
open class CLBeaconRegion: CLRegion {
  /// The beacons' identity.
  public let uuid: UUID
  /// The first number of the beacons; `nil` for any.
  public let major: NSNumber?
  /// The second number of the beacons; `nil` for any.
  public let minor: NSNumber?
  /// Whether to notify the app while the display is on.
  open var notifyEntryStateOnDisplay = false

  /// A region near all beacons of an identity.
  public init(uuid: UUID, identifier: String) {
    self.uuid = uuid
    major = nil
    minor = nil
    super.init(identifier: identifier)
  }

  /// A region near the beacons of an identity with a first number.
  public init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
    self.uuid = uuid
    self.major = NSNumber(value: major)
    minor = nil
    super.init(identifier: identifier)
  }

  /// A region near the beacons of an identity with two numbers.
  public init(
    uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    self.uuid = uuid
    self.major = NSNumber(value: major)
    self.minor = NSNumber(value: minor)
    super.init(identifier: identifier)
  }

  /// A region near the beacons of a constraint.
  public convenience init(beaconIdentityConstraint constraint: CLBeaconIdentityConstraint, identifier: String)
  {
    if let major = constraint.major, let minor = constraint.minor {
      self.init(uuid: constraint.uuid, major: major, minor: minor, identifier: identifier)
    } else if let major = constraint.major {
      self.init(uuid: constraint.uuid, major: major, identifier: identifier)
    } else {
      self.init(uuid: constraint.uuid, identifier: identifier)
    }
  }

  /// A copy.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let constraint = CLBeaconIdentityConstraint(uuid, major?.uint16Value, minor?.uint16Value)
    let copy = CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: identifier)
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    copy.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
    return copy
  }

  /// Reads a region from an archive.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: "uuid"),
      let uuid = UUID(uuidString: text as String)
    else { return nil }
    self.uuid = uuid
    func number(_ key: String) -> NSNumber? {
      coder.containsValue(forKey: key)
        ? NSNumber(value: UInt16(clamping: coder.decodeInteger(forKey: key))) : nil
    }
    major = number("major")
    minor = number("minor")
    super.init(coder: coder)
  }

  /// Writes the region to an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(uuid.uuidString as NSString, forKey: "uuid")
    if let major { coder.encode(major.intValue, forKey: "major") }
    if let minor { coder.encode(minor.intValue, forKey: "minor") }
  }
}

/// A beacon. None is ever found here.
open class CLBeacon: NSObject {
  /// Its identity.
  public let uuid: UUID
  /// Its first number.
  public let major: NSNumber
  /// Its second number.
  public let minor: NSNumber
  /// How near it is.
  public let proximity: CLProximity
  /// The accuracy of its distance in metres.
  public let accuracy: CLLocationAccuracy
  /// The strength of its signal in decibels.
  public let rssi: Int
  /// When it was heard.
  public let timestamp: Date

  init(uuid: UUID, major: UInt16, minor: UInt16, at timestamp: Date) {
    self.uuid = uuid
    self.major = NSNumber(value: major)
    self.minor = NSNumber(value: minor)
    proximity = .unknown
    accuracy = -1
    rssi = 0
    self.timestamp = timestamp
  }
}
