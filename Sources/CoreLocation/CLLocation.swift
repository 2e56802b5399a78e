public import Foundation
import Geodesy

/// A position of a device at a time.
///
/// `@unchecked Sendable`: it never changes once it is made.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// Where.
  public let coordinate: CLLocationCoordinate2D
  /// Metres above mean sea level.
  public let altitude: CLLocationDistance
  /// Metres above the ellipsoid of WGS 84. The same as ``altitude``: no model of the geoid is at hand.
  open var ellipsoidalAltitude: CLLocationDistance { altitude }
  /// The radius of uncertainty in metres; negative where ``coordinate`` is not valid.
  public let horizontalAccuracy: CLLocationAccuracy
  /// The uncertainty of ``altitude`` in metres; not positive where that is not valid.
  public let verticalAccuracy: CLLocationAccuracy
  /// The direction of travel; negative where not known.
  public let course: CLLocationDirection
  /// The uncertainty of ``course`` in degrees; negative where not known.
  public let courseAccuracy: CLLocationDirectionAccuracy
  /// Metres a second over ground; negative where not known.
  public let speed: CLLocationSpeed
  /// The uncertainty of ``speed`` in metres a second; negative where not known.
  public let speedAccuracy: CLLocationSpeedAccuracy
  /// When.
  public let timestamp: Date
  /// The storey; `nil`, for none is known here.
  open var floor: CLFloor? { nil }

  /// A position of now, with no more known of it: accuracy and altitude 0, the rest unknown.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
  }

  /// A position of which speed and course are not known.
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
  }

  /// A position of which the accuracy of speed and course is not known.
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

  /// The distance to another position along the geodesic on WGS 84, in metres. Altitudes don't count.
  ///
  /// Cost: about a microsecond.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    Geodesic.distance(from: coordinate.geodetic, to: location.coordinate.geodetic)
  }

  // MARK: NSCopying, NSSecureCoding

  /// The same object, for it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Reads what ``encode(with:)`` wrote; `nil` where there is no coordinate.
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

  /// Writes all of it.
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

  /// Coordinate, accuracy, speed, course and time, for a log.
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
