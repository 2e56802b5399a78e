public import Geodesy

/// One position report.
///
/// A value of fixed size that holds no reference, so that millions stream through at the cost of copying.
public struct Fix: Hashable, Sendable {
  /// Who reported it.
  public var device: DeviceNumber
  /// True where the way from the fix before is not known: a new segment of a track begins here.
  public var startsSegment: Bool
  /// True where the device says that it does not move.
  public var isStill: Bool
  /// When the device was there.
  public var time: Instant
  /// Where it was.
  public var coordinate: Coordinate
  /// The radius in metres within which it was with 68 % confidence; `nil` where not known.
  public var horizontalAccuracy: Double?
  /// Metres above the geoid; `nil` where not known.
  public var altitude: Double?
  /// Metres a second over ground; `nil` where not known.
  public var speed: Double?
  /// Degrees clockwise from true north, 0 to 360; `nil` where not known.
  public var course: Double?
  /// What the device itself made of where it is; `nil` for a plain position.
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
