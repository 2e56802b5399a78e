public import FencepostCalendarModel
public import FencepostCalendarStore
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

  /// When the positions came that the saved state of a device rests on; empty if positions may have been missed
  /// since. Then the silence of the device starts with this run.
  func arrivals(ofDevice name: String) throws -> ArrivalTimes

  /// The names of the devices whose doubts time will settle: see ``Geofencing/DeviceState/confirmsAt``.
  func devicesInDoubt() throws -> [String]

  /// When an alarm last went off; `nil` if never.
  func lastFiring(of alarm: Identifier<Alarm>, item: Identifier<CalendarItem>) throws -> Instant?
}

extension EngineJournal {
  /// Empty: an earlier run may have missed positions.
  public func arrivals(ofDevice name: String) throws -> ArrivalTimes { ArrivalTimes() }

  /// Empty: a run over a trace settles only the doubts of its own devices.
  public func devicesInDoubt() throws -> [String] { [] }
}

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
  /// When the positions came that these states rest on, by name.
  public var arrivals: [String: ArrivalTimes] = [:]
  /// Whether more of the same call follows: states of devices come with the last part, and until then the call
  /// must be repeated if the run ends.
  public var isPartial = false
  /// The new last positions of devices, by name, as they claim them. A state has the corrected accuracy
  /// instead.
  public var lastFixes: [String: Fix] = [:]
  /// All accepted positions, by device name; empty if only the last is kept.
  public var history: [String: [Fix]] = [:]
  /// New and changed records of what was decided.
  public var decisions: [AlarmDecision] = []
  /// New and changed records of what was observed.
  public var observations: [EngineObservation] = []

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

extension Firing {
  /// The key of the firing as a number, valid only in this process: a million keys as text take 100 MB. Of a
  /// million firings, two share a number with a probability of 3 in 100 million.
  var digest: Int {
    var hasher = Hasher()
    hasher.combine(time)
    if let fence = subject.fence { hasher.combine(fence) } else { hasher.combine(subject) }
    hasher.combine(kind)
    hasher.combine(crossing?.device)
    return hasher.finalize()
  }
}
