public import FencepostGeodesy

/// One position report.
///
/// A value of fixed size without references, so that streaming millions costs only copies.
public struct Fix: Hashable, Sendable {
  /// The device that reported it.
  public var device: DeviceNumber
  /// Whether a new segment of a track begins here: the path from the fix before is unknown.
  public var startsSegment: Bool
  /// Whether the device reports that it does not move.
  public var isStill: Bool
  /// The time at the device.
  public var time: Instant
  /// The device's position.
  public var coordinate: Coordinate
  /// The radius in metres of the circle that contains the device with 68 % confidence; `nil` if unknown.
  public var horizontalAccuracy: Double?
  /// Metres above the geoid; `nil` if unknown.
  public var altitude: Double?
  /// Metres per second over ground; `nil` if unknown.
  public var speed: Double?
  /// Degrees clockwise from true north, 0 to 360; `nil` if unknown.
  public var course: Double?
  /// The device's own conclusion about its place; `nil` for a plain position.
  public var verdict: PhoneVerdict?

  /// A fix.
  @inlinable
  public init(
    device: DeviceNumber = .first, time: Instant, coordinate: Coordinate,
    horizontalAccuracy: Double? = nil, altitude: Double? = nil, speed: Double? = nil,
    course: Double? = nil, startsSegment: Bool = false, verdict: PhoneVerdict? = nil, isStill: Bool = false
  ) {
    self.device = device
    self.startsSegment = startsSegment
    self.time = time
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.altitude = altitude
    self.speed = speed
    self.course = course
    self.verdict = verdict
    self.isStill = isStill
  }
}
