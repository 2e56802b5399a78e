public import AlarmEngine
public import CalendarModel
public import CalendarStore
public import Geofencing
public import Recurrence

/// The daemon without its surroundings: what becomes of positions, of time that passes and of changes to the
/// store. It is told what time it is, has no thread and waits for nothing, so that a test plays months in a
/// moment. Confined to whoever made it.
public final class AlarmKeeper {
  private let store: CalendarStore
  private let engine: AlarmEngine
  private var follower: ChangeFollower

  /// A keeper of the alarms of `store`.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - policy: What counts as having crossed a boundary.
  ///   - resolver: The zones, and the one in which floating times are meant.
  ///   - devices: The registry that the feeds share.
  ///   - grace: Up to how many seconds after its time an alarm is still in time.
  ///   - channels: Over which channels a firing is to be told.
  ///   - now: What time it is.
  ///
  /// Arms what was changed while nothing ran.
  public init(
    store: CalendarStore, policy: Policy, resolver: TimeResolver, devices: DeviceRegistry, grace: Double,
    channels: @escaping @Sendable (LedgerEntry) -> [String], now: Instant
  ) throws {
    self.store = store
    let schedule = AlarmSchedule(resolver: resolver)
    follower = ChangeFollower(store: store, schedule: schedule)
    _ = try follower.catchUp(to: now)
    engine = try AlarmEngine(
      store: store, journal: StoreJournal(store: store, channels: channels), policy: policy,
      schedule: schedule, devices: devices, start: now, clock: .wall(lateAfter: grace))
  }

  /// What was heard so far.
  public var counts: AlarmEngine.Counts { engine.counts }

  /// How often items, and with them answers to alarms, were found to have changed.
  public private(set) var changes = 0

  /// Weighs positions that came in, after what else is due by `now`.
  ///
  /// - Returns: The alarms that went off; they are in the ledger.
  /// - Throws: Where the store can't be written to. Nothing is lost then: what was to be kept is kept by the
  ///   next call that succeeds.
  public func take(_ fixes: [Fix], at now: Instant) throws -> [Firing] {
    try follow(to: now)
    return try engine.advance(to: now) + engine.process(fixes) + engine.advance(to: now)
  }

  /// Looks at what has changed and lets go off what is due by `now`.
  public func wake(at now: Instant) throws -> [Firing] {
    try follow(to: now)
    return try engine.advance(to: now)
  }

  /// When the next alarm of time is due; `nil` where none is.
  public func nextDue() throws -> Instant? { try engine.nextDue() }

  /// Begins anew from what the store says.
  public func reload(at now: Instant) throws {
    _ = try follower.catchUp(to: now)
    try engine.reload()
  }

  /// Notes that this run ends.
  public func finish(at now: Instant) throws { try follower.finish(at: now) }

  private func follow(to now: Instant) throws {
    guard try follower.catchUp(to: now) else { return }
    changes += 1
    try engine.reload()
  }
}
