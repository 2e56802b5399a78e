public import CalendarModel
public import CalendarStore
public import Geofencing
public import Recurrence

/// Keeps in the store what happens on the clock of a trace: firings, last known positions, and the stays that follow
/// from those.
///
/// What waits for its time on the wall is left as it is, whatever time it is on the trace: as in a dry run, each
/// alarm of time is armed for its first due time from `start` on, in memory. What is recorded goes off once all the
/// same, as the ledger holds its key.
public struct RecordingJournal: EngineJournal {
  private let journal: StoreJournal
  private let store: CalendarStore
  private var times: DryRunJournal

  /// A journal in `store` for a trace that begins at `start`.
  ///
  /// Reads every live item that has an alarm of time: some microseconds each.
  public init(store: CalendarStore, schedule: AlarmSchedule, start: Instant) throws {
    self.store = store
    journal = StoreJournal(store: store)
    times = try DryRunJournal(store: store, schedule: schedule, start: start)
  }

  /// All due times at once, and the stays that were waited for before.
  public mutating func nextDueTimes(limit: Int) throws -> (dueTimes: [DueTime], isAll: Bool) {
    let (dueTimes, _) = times.nextDueTimes(limit: limit)
    return (dueTimes + (try store.read { try $0.stays() }), true)
  }

  /// Keeps a step in one transaction, and returns the firings that the ledger did not have.
  public func commit(_ step: EngineStep) throws -> [Firing] {
    var kept = LedgerStep(step)
    kept.disarmed.removeAll { $0.device == nil }
    kept.armed.removeAll { $0.kind != .dwell }
    return try journal.keep(kept)
  }

  /// True: what is known of a device outlives the run.
  public var keepsStates: Bool { true }

  /// What the store knows of a device.
  public func state(ofDevice name: String) throws -> DeviceState? { try journal.state(ofDevice: name) }

  /// When the ledger says that an alarm last went off.
  public func lastFiring(of alarm: Identifier<Alarm>, item: Identifier<CalendarItem>) throws -> Instant? {
    try journal.lastFiring(of: alarm, item: item)
  }
}
