public import CalendarModel
public import CalendarStore
public import Geofencing

/// What one step of the engine changes, to be kept as a whole or not at all.
public struct EngineStep: Sendable {
  /// The alarms that went off, in order.
  public var firings: [Firing] = []
  /// Alarms whose due time is done with or called off; taken away before ``armed`` is added.
  public private(set) var disarmed: Set<LedgerStep.Disarmed> = []
  /// Due times that come next, one for each alarm, or for each alarm and device that stays.
  public var armed: some Collection<DueTime> { armedByAlarm.values }
  private var armedByAlarm: [LedgerStep.Disarmed: DueTime] = [:]
  /// What is known of the devices that were heard from, by name.
  public var devices: [String: DeviceState] = [:]
  /// The accuracy that a device claimed for its last fix, in metres, by its name: a state has the error that the policy
  /// takes it for.
  public var claims: [String: Double] = [:]
  /// All positions that were taken in, by the name of the device; empty where only the last is kept.
  public var history: [String: [Fix]] = [:]

  /// A step that changes nothing.
  public init() {}

  /// True where nothing changes but the last known positions of devices.
  var isQuiet: Bool { firings.isEmpty && disarmed.isEmpty && armed.isEmpty }

  /// Waits for a due time, in the place of the one that its alarm had.
  mutating func arm(_ due: DueTime) {
    armedByAlarm[.init(item: due.item, alarm: due.alarm, device: due.device)] = due
  }

  /// Waits no longer for the due time of an alarm, whether it stood before the step or came with it.
  mutating func disarm(item: Identifier<CalendarItem>, alarm: Identifier<Alarm>, device: String?) {
    let key = LedgerStep.Disarmed(item: item, alarm: alarm, device: device)
    disarmed.insert(key)
    armedByAlarm[key] = nil
  }
}
