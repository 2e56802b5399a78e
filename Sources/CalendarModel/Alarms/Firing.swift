public import Geodesy
public import Spatiotemporal

/// The event that an alarm went off. The ledger keeps each firing once.
public struct Firing: Hashable, Sendable {
  /// The cause.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case enter, leave, dwell, absolute, relative
    /// No alarm: a new suggestion waits in the inbox. ``item`` is its identifier.
    case suggestion
  }

  /// The boundary crossing, for the proximity kinds.
  public struct Crossing: Hashable, Sendable {
    /// The place.
    public var place: StructuredLocation
    /// The name of the device.
    public var device: String
    /// The device's position at the fix that confirmed the crossing.
    public var position: Coordinate
    /// The accuracy of that fix in metres, if known.
    public var accuracy: Double?
    /// Whether ``Firing/time`` was interpolated between two fixes.
    public var isInterpolated: Bool
    /// The interval without positions of the device around the crossing, if it lasted minutes. The crossing may have
    /// been at any time in it, and ``Firing/time`` is an estimate.
    public var gap: ClosedRange<Instant>?
    /// The kind of evidence.
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

  /// The cause.
  public var kind: Kind
  /// The time of the crossing, or the due time.
  public var time: Instant
  /// When the crossing was confirmed and the alarm went off; `nil` if that is ``time``.
  public var confirmedAt: Instant?
  /// The alarm.
  public var alarm: Identifier<Alarm>
  /// The alarm's item.
  public var item: Identifier<CalendarItem>
  /// The occurrence's start, for the time kinds of a recurring item.
  public var occurrence: CalendarTime?
  /// The place and the device, for the proximity kinds.
  @inlinable
  public var crossing: Crossing? {
    get { shared?.crossing }
    set { shared = newValue.map(SharedCrossing.init) }
  }
  @usableFromInline var shared: SharedCrossing?
  /// Whether it went off late, because no engine ran at its time.
  public var isLate: Bool
  /// The number of earlier missed occurrences that it replaces.
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
    shared = crossing.map(SharedCrossing.init)
    self.isLate = isLate
    self.folded = folded
  }

  /// When the alarm went off. Firings are ordered by it.
  public var wentOffAt: Instant { confirmedAt ?? time }

  /// The unique key of the firing: the ledger holds each key once.
  ///
  /// Item, alarm and due time for the time kinds; item, alarm, device and crossing time for the others. It includes
  /// the item because some files give the alarms of several items one identifier.
  public var key: String {
    let what = crossing.map { "\(kind.rawValue)@\($0.device)" } ?? kind.rawValue
    return "\(item)/\(alarm)/\(what)/\(time.microseconds)"
  }
}

/// A crossing that the copies of a firing share: to copy its texts for each would cost more than all else in it.
@usableFromInline
final class SharedCrossing: Hashable, Sendable {
  @usableFromInline let crossing: Firing.Crossing

  @usableFromInline
  init(_ crossing: Firing.Crossing) { self.crossing = crossing }

  @usableFromInline
  static func == (one: SharedCrossing, other: SharedCrossing) -> Bool {
    one === other || one.crossing == other.crossing
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(crossing) }
}
