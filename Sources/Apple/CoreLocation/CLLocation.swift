import FencepostGeodesy
public import Foundation

/// A position of a device at a time.
///
/// `@unchecked Sendable`: it is immutable.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The position.
  public let coordinate: CLLocationCoordinate2D
  /// Metres above mean sea level.
  public let altitude: CLLocationDistance
  /// Metres above the ellipsoid of WGS 84. The same as ``altitude``, because there is no geoid model here.
  open var ellipsoidalAltitude: CLLocationDistance { altitude }
  /// The radius of uncertainty in metres; negative if ``coordinate`` is invalid.
  public let horizontalAccuracy: CLLocationAccuracy
  /// The uncertainty of ``altitude`` in metres; zero or negative if that is invalid.
  public let verticalAccuracy: CLLocationAccuracy
  /// The direction of travel; negative if unknown.
  public let course: CLLocationDirection
  /// The uncertainty of ``course`` in degrees; negative if unknown.
  public let courseAccuracy: CLLocationDirectionAccuracy
  /// The speed over ground in metres a second; negative if unknown.
  public let speed: CLLocationSpeed
  /// The uncertainty of ``speed`` in metres a second; negative if unknown.
  public let speedAccuracy: CLLocationSpeedAccuracy
  /// The time.
  public let timestamp: Date
  /// The storey; always `nil`, because it is unknown here.
  open var floor: CLFloor? { nil }

  /// A position at the current time. Accuracy and altitude are 0, everything else is unknown.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
  }

  /// A position with unknown speed and course.
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
  }

  /// A position whose speed and course have an unknown accuracy.
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: -1, speed: speed,
      speedAccuracy: -1, timestamp: timestamp)
  }

  /// A position.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
  ) {
    self.coordinate = coordinate
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.timestamp = timestamp
  }

  /// The distance to another position along the geodesic on WGS 84, in metres. Ignores altitudes.
  ///
  /// Cost: about a microsecond.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    Geodesic.distance(from: coordinate.geodetic, to: location.coordinate.geodetic)
  }

  // MARK: NSCopying, NSSecureCoding

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Reads a position from an archive; `nil` without a coordinate.
  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "latitude"), coder.containsValue(forKey: "longitude") else {
      return nil
    }
    func number(_ key: String) -> Double { coder.decodeDouble(forKey: key) }
    coordinate = CLLocationCoordinate2D(latitude: number("latitude"), longitude: number("longitude"))
    altitude = number("altitude")
    horizontalAccuracy = number("horizontalAccuracy")
    verticalAccuracy = number("verticalAccuracy")
    course = number("course")
    courseAccuracy = number("courseAccuracy")
    speed = number("speed")
    speedAccuracy = number("speedAccuracy")
    timestamp = Date(timeIntervalSinceReferenceDate: number("timestamp"))
  }

  /// Writes the position to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(coordinate.latitude, forKey: "latitude")
    coder.encode(coordinate.longitude, forKey: "longitude")
    coder.encode(altitude, forKey: "altitude")
    coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
    coder.encode(verticalAccuracy, forKey: "verticalAccuracy")
    coder.encode(course, forKey: "course")
    coder.encode(courseAccuracy, forKey: "courseAccuracy")
    coder.encode(speed, forKey: "speed")
    coder.encode(speedAccuracy, forKey: "speedAccuracy")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
  }

  /// Coordinate, accuracy, speed, course and time, for logs.
  open override var description: String {
    "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m "
      + "(speed \(speed) mps / course \(course)) @ \(timestamp)"
  }
}

/// The storey of a building.
open class CLFloor: NSObject, @unchecked Sendable {
  /// The storey; 0 on the ground.
  public let level: Int

  init(level: Int) { self.level = level }
}
