public import FencepostSpatiotemporal

/// The next moment at which a time-based alarm goes off.
public struct DueTime: Hashable, Sendable {
  /// The kind: ``Firing/Kind/absolute`` or ``Firing/Kind/relative``; ``Firing/Kind/dwell`` for a stay that the engine
  /// waits for.
  public var kind: Firing.Kind
  /// The moment.
  public var time: Instant
  /// The alarm.
  public var alarm: Identifier<Alarm>
  /// The alarm's item.
  public var item: Identifier<CalendarItem>
  /// The occurrence's start, for a recurring item.
  public var occurrence: CalendarTime?
  /// The index of the repetition (REPEAT); 0 is the first time.
  public var repetition: Int
  /// The device that stays, for a dwell.
  public var device: String?

  /// A due time.
  public init(
    kind: Firing.Kind, time: Instant, alarm: Identifier<Alarm>, item: Identifier<CalendarItem>,
    occurrence: CalendarTime? = nil, repetition: Int = 0, device: String? = nil
  ) {
    self.kind = kind
    self.time = time
    self.alarm = alarm
    self.item = item
    self.occurrence = occurrence
    self.repetition = repetition
    self.device = device
  }
}
