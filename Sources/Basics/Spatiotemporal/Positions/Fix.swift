import FencepostAlgorithms
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
  /// The charge of the device's battery in percent, 0 to 100; `nil` if unknown.
  public var battery: UInt8?
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
    course: Double? = nil, startsSegment: Bool = false, verdict: PhoneVerdict? = nil, isStill: Bool = false,
    battery: UInt8? = nil
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
    self.battery = battery
  }
}

/// A phone's own conclusion about its place. Its system watches regions and notices visits with sensors that
/// position reports do not include.
public struct PhoneVerdict: Hashable, Sendable {
  /// The kind of conclusion.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// It entered a region that it watches.
    case enter
    /// It left such a region.
    case leave
    /// It is in such a region.
    case inside
    /// It stays here: a visit began and goes on.
    case visit
    /// A visit here ended.
    case departure
    /// A boundary of a watched region made it report; which region, and which direction, is unknown.
    case wakened
  }

  /// The kind of conclusion.
  public var kind: Kind
  /// The region; `nil` if the phone does not name one, or names it in a form that can't be resolved.
  public var waypoint: WaypointKey?

  /// A verdict.
  @inlinable
  public init(_ kind: Kind, of waypoint: WaypointKey? = nil) {
    self.kind = kind
    self.waypoint = waypoint
  }
}

/// The key by which a phone knows a region that it watches.
///
/// A number of fixed size, because fixes hold no references.
public struct WaypointKey: Hashable, Sendable {
  /// The number of a fence that the phone received, which is positive; else a hash of the phone's own key.
  public private(set) var code: Int64

  private static let prefix = "fencepost-"
  /// OwnTracks' first release. An earlier creation time of a waypoint is the number of a fence that the phone
  /// received.
  private static let firstStamp: Int64 = 1_000_000_000

  /// The key of a fence that the phone received.
  public init(fence number: Int64) { code = number }

  /// The key as one number, for files and messages.
  public init(code: Int64) { self.code = code }

  /// The key in a text: OwnTracks' `rid`.
  public init(text: String) {
    if text.hasPrefix(WaypointKey.prefix), let number = Int64(text.dropFirst(WaypointKey.prefix.count)),
      number > 0
    {
      code = number
    } else {
      // Shift out the sign, which distinguishes these keys from numbers of fences.
      code = -Int64(StableHash(of: text).value >> 1) - 1
    }
  }

  /// The key of a waypoint that only has a name: OwnTracks' `inregions`.
  public init(name: String) { self.init(text: "name:" + name) }

  /// The key for a waypoint's creation time in seconds since 1970: OwnTracks' `wtst`.
  public init(stamp: Int64) {
    self =
      stamp > 0 && stamp < WaypointKey.firstStamp
      ? WaypointKey(fence: stamp) : WaypointKey(text: String(stamp))
  }

  /// The number of the fence that the phone received; `nil` for the phone's own region.
  public var fence: Int64? { code > 0 ? code : nil }

  /// The prefix of an item's identifier that was created from a phone's waypoint; the phone's key follows it.
  public static let itemPrefix = "owntracks-"

  /// The key for a fence that a phone receives.
  public static func text(ofFence number: Int64) -> String { prefix + String(number) }
}

/// A part of the Earth's surface that a device can be in.
public enum Region: Hashable, Sendable {
  /// All points within `radius` metres of `center`, boundary included.
  case circle(center: Coordinate, radius: Double)
  /// All points in at least one of the polygons.
  case polygons([Polygon])
}

/// A polygon on WGS 84 with geodesic edges (a GeoJSON Polygon, RFC 7946, except for its edges).
public struct Polygon: Hashable, Sendable {
  /// The boundary: three points or more, in either direction. The first point is not repeated at the end.
  public var exterior: [Coordinate]
  /// The holes, each in the same form as the exterior.
  public var holes: [[Coordinate]]

  /// A polygon.
  public init(exterior: [Coordinate], holes: [[Coordinate]] = []) {
    self.exterior = exterior
    self.holes = holes
  }
}

/// How the engine knows that a device crossed a boundary.
public enum CrossingSource: String, Hashable, Sendable, CaseIterable {
  /// By the device's positions.
  case positions
  /// No position came after one beyond the boundary.
  case silence
  /// The path between two positions leads through the region.
  case passage
  /// The phone reported it.
  case phone
}
