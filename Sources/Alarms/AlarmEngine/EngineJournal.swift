public import FencepostCalendarModel
public import FencepostGeofencing

/// Saves what must outlive a step of the engine.
///
/// A dry run keeps it in memory and leaves the store unchanged (``DryRunJournal``). A real run keeps it in
/// the store (``StoreJournal``).
public protocol EngineJournal {
  /// The next due times, the earliest first: `limit` of them, or all if there are fewer.
  ///
  /// `isAll` means that there are no others, so the engine need not ask again. The engine asks when all
  /// earlier ones are used and committed.
  mutating func nextDueTimes(limit: Int) throws -> (dueTimes: [DueTime], isAll: Bool)

  /// Saves a step, completely or not at all, and returns its firings without those that the ledger already
  /// had.
  mutating func commit(_ step: EngineStep) throws -> [Firing]

  /// Whether to save the states of devices in a step.
  var keepsStates: Bool { get }

  /// The saved state of the device called `name`; `nil` for a new device.
  func state(ofDevice name: String) throws -> DeviceState?

  /// The names of the devices whose doubts time will settle: see ``Geofencing/DeviceState/ripensAt``.
  func devicesInDoubt() throws -> [String]

  /// When an alarm last went off; `nil` if never.
  func lastFiring(of alarm: Identifier<Alarm>, item: Identifier<CalendarItem>) throws -> Instant?
}

extension EngineJournal {
  /// Empty: a run over a trace settles only the doubts of its own devices.
  public func devicesInDoubt() throws -> [String] { [] }
}
