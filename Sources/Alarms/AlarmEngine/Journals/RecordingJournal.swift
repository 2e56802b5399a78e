public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostGeofencing
public import FencepostRecurrence

/// Saves the firings, last known positions and stays of a trace in the store.
///
/// Due times on the wall clock stay unchanged, whatever the trace's time. As in a dry run, each alarm of time
/// is armed for its first due time from `start` on, in memory. A recorded firing still happens only once,
/// because the ledger has its key.
public struct RecordingJournal: EngineJournal {
  private let journal: StoreJournal
  private let store: CalendarStore
  private var times: DryRunJournal

  /// A journal in `store` for a trace that starts at `start`.
  ///
  /// Reads every live item with an alarm of time: some microseconds each.
  public init(store: CalendarStore, schedule: AlarmSchedule, start: Instant) throws {
    self.store = store
    journal = StoreJournal(store: store)
    times = try DryRunJournal(store: store, schedule: schedule, start: start)
  }

  /// All due times at once, and the stays that were already waiting.
  public mutating func nextDueTimes(limit: Int) throws -> (dueTimes: [DueTime], isAll: Bool) {
    let (dueTimes, _) = times.nextDueTimes(limit: limit)
    return (dueTimes + (try store.read { try $0.stays() }), true)
  }

  /// Saves a step in one transaction, and returns the firings that the ledger did not have.
  public func commit(_ step: EngineStep) throws -> [Firing] {
    var kept = LedgerStep(step)
    kept.disarmed.removeAll { $0.device == nil }
    kept.armed.removeAll { $0.kind != .dwell }
    return try journal.keep(kept)
  }

  /// True: device states outlive the run.
  public var keepsStates: Bool { true }

  /// The saved state of a device.
  public func state(ofDevice name: String) throws -> DeviceState? { try journal.state(ofDevice: name) }

  /// When an alarm last went off, according to the ledger.
  public func lastFiring(of alarm: Identifier<Alarm>, item: Identifier<CalendarItem>) throws -> Instant? {
    try journal.lastFiring(of: alarm, item: item)
  }
}
