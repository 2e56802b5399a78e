public import FencepostGeodesy
public import FencepostSpatiotemporal

/// The content of a map of a trace: the tracks of devices, the fences, and the alarms that went off.
///
/// Draw it with ``svg`` for a document or ``page(tiles:)`` for a browser.
public struct TraceMap: Hashable, Sendable {
  /// The tracks of the devices.
  public var tracks: [Track] = []
  /// The fences in the area.
  public var fences: [MapFence] = []
  /// The alarms that went off, in that order.
  public var alarms: [MapAlarm] = []
  /// The positions of rejected fixes.
  public var strays: [Coordinate] = []
  /// The size of the trace; `nil` if unknown.
  public var counts: MapCounts?
  /// Notes about content that the map leaves out because there is too much of it: `and 12 more devices`.
  public var omissions: [String] = []
  /// The title, for example the names of the traces.
  public var title: String
  /// The clock for all times on the map.
  public var clock: LocalClock

  /// An empty map called `title` that shows times of `clock`.
  public init(title: String, clock: LocalClock = .utc) {
    self.title = title
    self.clock = clock
  }
}

/// The size of a trace.
public struct MapCounts: Hashable, Sendable {
  /// The number of records with positions, valid or not.
  public var fixes: Int
  /// The number of rejected and unreadable records among them.
  public var rejected: Int
  /// The length of all tracks together, in metres.
  public var metres: Double

  /// The size of a trace.
  public init(fixes: Int, rejected: Int, metres: Double) {
    self.fixes = fixes
    self.rejected = rejected
    self.metres = metres
  }
}

/// The track of a device.
public struct Track: Hashable, Sendable {
  /// The name of the device.
  public var device: String
  /// The parts of the track. Each has at least one point, and its times rise. Between two parts the position
  /// is unknown.
  public var segments: [[TrackPoint]]

  /// A track in parts.
  public init(device: String, segments: [[TrackPoint]]) {
    self.device = device
    self.segments = segments
  }
}

/// A point of a track.
public struct TrackPoint: Hashable, Sendable {
  /// The time of the position.
  public var time: Instant
  /// The position of the device.
  public var coordinate: Coordinate
  /// The accuracy in metres; `nil` if unknown.
  public var accuracy: Double?

  /// A point.
  public init(time: Instant, coordinate: Coordinate, accuracy: Double? = nil) {
    self.time = time
    self.coordinate = coordinate
    self.accuracy = accuracy
  }
}

/// A fence on a map.
public struct MapFence: Hashable, Sendable {
  /// The name of the place.
  public var title: String
  /// The area.
  public var region: Region
  /// The titles of its alarms.
  public var notes: [String]
  /// Whether a device crossed it. The map fits all crossed fences; it shows others only if they are in the
  /// picture.
  public var wasCrossed: Bool

  /// A fence.
  public init(title: String, region: Region, notes: [String] = [], wasCrossed: Bool = false) {
    self.title = title
    self.region = region
    self.notes = notes
    self.wasCrossed = wasCrossed
  }
}

/// An alarm on a map.
public struct MapAlarm: Hashable, Sendable {
  /// The kinds of events that trigger alarms, as a map shows them.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case enter, leave, dwell
    /// The due time came.
    case time
  }

  /// The kind of event that triggered it.
  public var kind: Kind
  /// When the boundary was crossed, or the due time.
  public var time: Instant
  /// When it went off.
  public var wentOffAt: Instant
  /// The time range without positions around the crossing; ``time`` is then an estimate.
  public var gap: ClosedRange<Instant>?
  /// The title of the reminder or event.
  public var title: String
  /// The place, for alarms at a place.
  public var place: String?
  /// The device that crossed the boundary, for alarms at a place.
  public var device: String?
  /// The position of the device; `nil` to take it from the tracks.
  public var position: Coordinate?

  /// An alarm.
  public init(
    kind: Kind, time: Instant, wentOffAt: Instant? = nil, title: String, place: String? = nil,
    device: String? = nil, position: Coordinate? = nil, gap: ClosedRange<Instant>? = nil
  ) {
    self.kind = kind
    self.time = time
    self.wentOffAt = wentOffAt ?? time
    self.title = title
    self.place = place
    self.device = device
    self.position = position
    self.gap = gap
  }
}
