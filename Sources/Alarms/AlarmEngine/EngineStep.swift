public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostGeofencing

/// The changes of one step of the engine. They are saved together or not at all.
public struct EngineStep: Sendable {
  /// The alarms that went off, in order.
  public var firings: [Firing] = []
  /// Alarms whose due time is done or cancelled; removed before ``armed`` is added.
  public private(set) var disarmed: Set<LedgerStep.Disarmed> = []
  /// The next due times, one for each alarm, or for each alarm and device that stays.
  public var armed: some Collection<DueTime> { armedByAlarm.values }
  private var armedByAlarm: [LedgerStep.Disarmed: DueTime] = [:]
  /// The states of the devices with positions in this step, by name.
  public var devices: [String: DeviceState] = [:]
  /// The accuracy that a device claimed for its last fix, in metres, by its name. A state has the corrected
  /// accuracy instead.
  public var claims: [String: Double] = [:]
  /// All accepted positions, by device name; empty if only the last is kept.
  public var history: [String: [Fix]] = [:]

  /// A step that changes nothing.
  public init() {}

  /// True if only last known positions change.
  var isQuiet: Bool { firings.isEmpty && disarmed.isEmpty && armed.isEmpty }

  /// Waits for a due time instead of the alarm's earlier one.
  mutating func arm(_ due: DueTime) {
    armedByAlarm[.init(item: due.item, alarm: due.alarm, device: due.device)] = due
  }

  /// Stops waiting for an alarm's due time, whether it is older than the step or part of it.
  mutating func disarm(item: Identifier<CalendarItem>, alarm: Identifier<Alarm>, device: String?) {
    let key = LedgerStep.Disarmed(item: item, alarm: alarm, device: device)
    disarmed.insert(key)
    armedByAlarm[key] = nil
  }
}
