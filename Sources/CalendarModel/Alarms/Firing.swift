public import Geodesy
public import Spatiotemporal

/// An alarm went off. The ledger keeps each, once.
public struct Firing: Hashable, Sendable {
  /// Why it went off.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case enter, leave, dwell, absolute, relative
  }

  /// What happened at a place, for the proximity kinds.
  public struct Crossing: Hashable, Sendable {
    /// The place.
    public var place: StructuredLocation
    /// The name of the device.
    public var device: String
    /// Where the device was at the fix that settled it.
    public var position: Coordinate
    /// The accuracy of that fix in metres, where known.
    public var accuracy: Double?
    /// True where ``Firing/time`` was found between two fixes.
    public var isInterpolated: Bool
    /// Where nothing was heard of the device for minutes around the crossing, from when to when: the crossing may have
    /// been at any time in it, and ``Firing/time`` is a guess.
    public var gap: ClosedRange<Instant>?
    /// What settled it.
    public var source: CrossingSource

    /// A crossing.
    public init(
      place: StructuredLocation, device: String, position: Coordinate, accuracy: Double?,
      isInterpolated: Bool, gap: ClosedRange<Instant>? = nil, source: CrossingSource = .positions
    ) {
      self.place = place
      self.device = device
      self.position = position
      self.accuracy = accuracy
      self.isInterpolated = isInterpolated
      self.gap = gap
      self.source = source
    }
  }

  /// Why it went off.
  public var kind: Kind
  /// When the boundary was crossed, or the due time.
  public var time: Instant
  /// When it was sure, and the alarm went off; `nil` where that is ``time``.
  public var confirmedAt: Instant?
  /// The alarm.
  public var alarm: Identifier<Alarm>
  /// The item that it belongs to.
  public var item: Identifier<CalendarItem>
  /// For the time kinds of a recurring item, the occurrence's start.
  public var occurrence: CalendarTime?
  /// For the proximity kinds, where and who.
  public var crossing: Crossing?
  /// True where it went off after its time, because nothing ran then.
  public var isLate: Bool
  /// How many missed occurrences before this one it stands for too.
  public var folded: Int

  /// A firing.
  public init(
    kind: Kind, time: Instant, confirmedAt: Instant? = nil, alarm: Identifier<Alarm>,
    item: Identifier<CalendarItem>, occurrence: CalendarTime? = nil, crossing: Crossing? = nil,
    isLate: Bool = false, folded: Int = 0
  ) {
    self.kind = kind
    self.time = time
    self.confirmedAt = confirmedAt
    self.alarm = alarm
    self.item = item
    self.occurrence = occurrence
    self.crossing = crossing
    self.isLate = isLate
    self.folded = folded
  }

  /// When the alarm went off, by which firings are ordered.
  public var wentOffAt: Instant { confirmedAt ?? time }

  /// What makes this firing the one it is: the ledger holds each key once.
  ///
  /// Item, alarm and due time for the time kinds; item, alarm, device and crossing time for the others. The item, as
  /// files give one identifier to alarms of several items.
  public var key: String {
    let what = crossing.map { "\(kind.rawValue)@\($0.device)" } ?? kind.rawValue
    return "\(item)/\(alarm)/\(what)/\(time.microseconds)"
  }
}
