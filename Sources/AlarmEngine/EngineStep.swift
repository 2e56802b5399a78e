public import CalendarModel
public import CalendarStore
public import Geofencing

/// What one step of the engine changes, to be kept as a whole or not at all.
public struct EngineStep: Sendable {
  /// The alarms that went off, in order.
  public var firings: [Firing] = []
  /// Alarms whose due time is done with or called off; taken away before ``armed`` is added.
  public var disarmed: [LedgerStep.Disarmed] = []
  /// Due times that come next, one for each alarm, or for each alarm and device that stays.
  public var armed: [DueTime] = []
  /// What is known of the devices that were heard from, by name.
  public var devices: [String: DeviceState] = [:]

  /// A step that changes nothing.
  public init() {}

  /// True where nothing changes but the whereabouts of devices.
  var isQuiet: Bool { firings.isEmpty && disarmed.isEmpty && armed.isEmpty }
}
