public import CalendarModel
public import Geodesy

/// What happened on a trace, ready to be drawn: where devices went, the fences there, and the alarms that
/// went off.
///
/// ``svg`` draws it for a document, ``page(tiles:)`` for a browser.
public struct TraceMap: Hashable, Sendable {
  /// The ways that devices took.
  public var tracks: [Track] = []
  /// The fences round about.
  public var fences: [MapFence] = []
  /// The alarms that went off, in the order in which they did.
  public var alarms: [MapAlarm] = []
  /// Where fixes were that the engine turned away.
  public var strays: [Coordinate] = []
  /// How much was read, and how far it was; `nil` where nobody counted.
  public var counts: MapCounts?
  /// What is not drawn because there is too much of it, in words, such as `and 12 more devices`.
  public var omissions: [String] = []
  /// What the map is of, such as the names of the traces.
  public var title: String
  /// The wall clock by which times are written.
  public var clock: WallClock

  /// An empty map called `title` whose times are those of `clock`.
  public init(title: String, clock: WallClock = .utc) {
    self.title = title
    self.clock = clock
  }
}

/// How much of a trace there was.
public struct MapCounts: Hashable, Sendable {
  /// Records of positions, good or not.
  public var fixes: Int
  /// Those of them that were not believed, or could not be read.
  public var rejected: Int
  /// Metres that all devices went.
  public var metres: Double

  /// Counts.
  public init(fixes: Int, rejected: Int, metres: Double) {
    self.fixes = fixes
    self.rejected = rejected
    self.metres = metres
  }
}

/// The way that a device took.
public struct Track: Hashable, Sendable {
  /// The name of the device.
  public var device: String
  /// Stretches of the way, each with one point at least, its times rising. Between two stretches the way is
  /// not known.
  public var segments: [[TrackPoint]]

  /// A way in stretches.
  public init(device: String, segments: [[TrackPoint]]) {
    self.device = device
    self.segments = segments
  }
}

/// A point of a way.
public struct TrackPoint: Hashable, Sendable {
  /// When the device was there.
  public var time: Instant
  /// Where it was.
  public var coordinate: Coordinate
  /// How well that is known, in metres; `nil` where nobody says.
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
  /// What the place is called.
  public var title: String
  /// What it covers.
  public var region: Region
  /// What there is to do there, a title for each alarm.
  public var notes: [String]
  /// True where a device crossed it. The map shows all such fences; of the others those that happen to lie
  /// in the picture.
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
  /// Why it went off.
  public var kind: Firing.Kind
  /// When the boundary was crossed, or the due time.
  public var time: Instant
  /// When it went off.
  public var wentOffAt: Instant
  /// Where nothing was heard of the device around the crossing, from when to when: ``time`` is a guess then.
  public var gap: ClosedRange<Instant>?
  /// What it reminds of.
  public var title: String
  /// The place, for the kinds that have one.
  public var place: String?
  /// Whose crossing it was, for the kinds that have one.
  public var device: String?
  /// Where the device was; `nil` for where the tracks say.
  public var position: Coordinate?

  /// An alarm.
  public init(
    kind: Firing.Kind, time: Instant, wentOffAt: Instant? = nil, title: String, place: String? = nil,
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
