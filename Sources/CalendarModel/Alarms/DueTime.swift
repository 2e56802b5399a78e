public import Spatiotemporal

/// The next moment at which an alarm of time goes off.
public struct DueTime: Hashable, Sendable {
  /// Why: ``Firing/Kind/absolute`` or ``Firing/Kind/relative``; ``Firing/Kind/dwell`` for a stay that is
  /// being waited for.
  public var kind: Firing.Kind
  /// When.
  public var time: Instant
  /// The alarm.
  public var alarm: Identifier<Alarm>
  /// The item that it belongs to.
  public var item: Identifier<CalendarItem>
  /// For a recurring item, the occurrence's start.
  public var occurrence: CalendarTime?
  /// Which time of an alarm that goes off again (REPEAT); 0 is the first.
  public var repetition: Int
  /// For a stay, the device that stays.
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
