public import CalendarModel
public import CalendarStore
public import Geofencing
public import Recurrence

/// Keeps each step in the store, in one transaction: what happens in earnest.
public struct StoreJournal: EngineJournal {
  private let store: CalendarStore
  private let channels: @Sendable (LedgerEntry) -> [String]

  /// A journal in `store`.
  ///
  /// - Parameter channels: Over which channels a firing is to be told; each gets a pending delivery in the
  ///   transaction that keeps the firing.
  public init(store: CalendarStore, channels: @escaping @Sendable (LedgerEntry) -> [String] = { _ in [] }) {
    self.store = store
    self.channels = channels
  }

  /// Arms every alarm of time for its first due time from `start` on, in one transaction.
  ///
  /// For a clock that is set anew, as that of a trace is: what was due before is past. Stays that are waited
  /// for are kept. Cost: some tens of microseconds for each series that has such an alarm.
  public func arm(from start: Instant, by schedule: AlarmSchedule) throws {
    let before = Instant(microseconds: start.microseconds &- 1)
    try store.write { writer in
      try writer.reader.forEachTimedSeries(resolver: schedule.resolver) { series in
        let dueTimes = Dictionary(grouping: schedule.next(in: series, after: before), by: \.item)
        for item in series.items {
          try writer.replaceDueTimes(of: item.id, with: dueTimes[item.id] ?? [])
        }
      }
    }
  }

  /// The due times that the store has, the earliest first.
  public func nextDueTimes(limit: Int) throws -> (dueTimes: [DueTime], isAll: Bool) {
    let found = try store.read { try $0.dueTimes(until: .distantFuture, limit: limit) }
    return (found, found.count < limit)
  }

  /// Keeps a step in one transaction, and returns the firings that the ledger did not have.
  public func commit(_ step: EngineStep) throws -> [Firing] {
    var kept = LedgerStep()
    kept.firings = step.firings
    kept.disarmed = Array(step.disarmed)
    kept.armed = Array(step.armed)
    kept.history = step.history
    for (name, state) in step.devices {
      kept.fenceStates[name] = state.encoded()
      if let last = state.lastFix {
        kept.lastFixes[name] = Fix(
          time: last.time, coordinate: last.coordinate, horizontalAccuracy: last.accuracy)
      }
    }
    guard !kept.isEmpty else { return [] }
    return try store.write { [kept, channels] writer in
      try writer.record(kept, channels: channels).map(\.firing)
    }
  }

  /// True: what is known of a device outlives the run.
  public var keepsStates: Bool { true }

  /// What the store knows of a device.
  public func state(ofDevice name: String) throws -> DeviceState? {
    guard let bytes = try store.read({ try $0.fenceState(of: name) }) else { return nil }
    return try DeviceState(decoding: bytes)
  }

  /// When the ledger says that an alarm last went off.
  public func lastFiring(of alarm: Identifier<Alarm>, item: Identifier<CalendarItem>) throws -> Instant? {
    try store.read { try $0.lastFiring(alarm: alarm, item: item) }?.firing.time
  }
}
