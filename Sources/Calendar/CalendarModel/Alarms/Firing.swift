public import FencepostGeodesy
public import FencepostSpatiotemporal

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
      device: String, position: Coordinate, accuracy: Double?, isInterpolated: Bool,
      gap: ClosedRange<Instant>? = nil, source: CrossingSource = .positions
    ) {
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
  /// The alarm with its item and place.
  public var subject: AlarmSubject
  /// The occurrence's start, for the time kinds of a recurring item.
  public var occurrence: CalendarTime?
  /// The device and its position, for the proximity kinds.
  public var crossing: Crossing?
  /// Whether it went off late, because no engine ran at its time.
  public var isLate: Bool
  /// The number of earlier missed occurrences that it replaces.
  public var folded: Int

  /// A firing of a subject.
  public init(
    kind: Kind, time: Instant, confirmedAt: Instant? = nil, of subject: AlarmSubject,
    occurrence: CalendarTime? = nil, crossing: Crossing? = nil, isLate: Bool = false, folded: Int = 0
  ) {
    self.kind = kind
    self.time = time
    self.confirmedAt = confirmedAt
    self.subject = subject
    self.occurrence = occurrence
    self.crossing = crossing
    self.isLate = isLate
    self.folded = folded
  }

  /// A firing of an alarm of an item. The proximity kinds need both `place` and `crossing`.
  public init(
    kind: Kind, time: Instant, confirmedAt: Instant? = nil, alarm: Identifier<Alarm>,
    item: Identifier<CalendarItem>, occurrence: CalendarTime? = nil, place: StructuredLocation? = nil,
    crossing: Crossing? = nil, isLate: Bool = false, folded: Int = 0
  ) {
    self.init(
      kind: kind, time: time, confirmedAt: confirmedAt,
      of: AlarmSubject(alarm: alarm, item: item, place: place), occurrence: occurrence, crossing: crossing,
      isLate: isLate, folded: folded)
  }

  /// The alarm.
  public var alarm: Identifier<Alarm> { subject.alarm }
  /// The alarm's item.
  public var item: Identifier<CalendarItem> { subject.item }
  /// The place, for the proximity kinds.
  public var place: StructuredLocation? { subject.place }

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
