public import CalendarModel
public import CalendarStore
public import Geofencing
public import Recurrence

/// Keeps nothing beyond the run: for a replay that leaves the store as it was.
///
/// Each alarm of time is armed for its first due time from `start` on, as if the store had just been made.
public struct DryRunJournal: EngineJournal {
  private var dueTimes: [DueTime] = []
  private var keys: Set<FiringDigest> = []

  /// A journal for a run over the items of `store` that begins at `start`.
  ///
  /// Reads every live item that has an alarm of time, its own or an implied one: some microseconds each.
  public init(store: CalendarStore, schedule: AlarmSchedule, start: Instant) throws {
    // A due time at the very start goes off.
    let before = Instant(microseconds: start.microseconds &- 1)
    var dueTimes: [DueTime] = []
    try store.read { reader in
      let schedule = try schedule.current(in: reader)
      try reader.forEachTimedSeries(resolver: schedule.resolver) { series in
        dueTimes.append(contentsOf: schedule.next(in: series, after: before))
      }
    }
    self.dueTimes = dueTimes
  }

  /// All due times at once, so that none needs to be kept here.
  public mutating func nextDueTimes(limit: Int) -> (dueTimes: [DueTime], isAll: Bool) {
    defer { dueTimes = [] }
    return (dueTimes, true)
  }

  /// The firings of a step that are new in this run.
  public mutating func commit(_ step: EngineStep) -> [Firing] {
    step.firings.filter { keys.insert(FiringDigest($0)).inserted }
  }

  /// False: devices are forgotten.
  public var keepsStates: Bool { false }

  /// Nothing: a dry run begins with devices that were never heard from.
  public func state(ofDevice name: String) -> DeviceState? { nil }

  /// Nothing: a dry run remembers no other run.
  public func lastFiring(of alarm: Identifier<Alarm>, item: Identifier<CalendarItem>) -> Instant? { nil }
}
