public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostGeofencing
public import FencepostRecurrence

/// Alarms as they happen: it processes positions, time and changes of the store. It has no clock and no
/// thread and never waits, so that a test can play months in a moment. Not thread-safe.
public final class LiveAlarmEngine {
  private let store: CalendarStore
  private let engine: AlarmEngine
  private var follower: ChangeFollower
  private let regions: RegionWatch
  /// Positions that are not stored yet.
  private var waiting: [Fix] = []
  private var hasFailed = false
  /// What has changed and the engine does not know yet, because reading it failed.
  private var pendingEffect = ChangeEffect.nothing

  /// An engine for the alarms of `store`. It schedules alarms that changed while no daemon ran, and moves due
  /// times if the rules of time zones have changed since.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - policy: The policy that detects crossings.
  ///   - resolver: The time zones, including the one for floating times.
  ///   - devices: The registry that the feeds share.
  ///   - grace: The seconds until an alarm counts as late.
  ///   - maximumAge: The greatest age in seconds of a crossing that late positions report.
  ///   - defaults: The default alarms.
  ///   - keepsHistory: Whether to store all positions, not only the last of each device.
  ///   - recordsDecisions: Whether to record what is decided, for people who ask later.
  ///   - channels: The channels for a firing.
  ///   - onDamage: Called with the error of an item or a due time that can't be read. It silences no other
  ///     alarm; its own go off if they can.
  ///   - now: The current time.
  public init(
    store: CalendarStore, policy: Policy, resolver: TimeResolver, devices: DeviceRegistry, grace: Double,
    maximumAge: Double = AlarmEngine.defaultMaximumAge, defaults: AlarmDefaults = AlarmDefaults(),
    keepsHistory: Bool = false,
    recordsDecisions: Bool = true, channels: @escaping @Sendable (LedgerEntry) -> [String],
    onDamage: @escaping (StoreError) -> Void = { _ in }, now: Instant
  ) throws {
    self.store = store
    var schedule = AlarmSchedule(resolver: resolver, defaults: defaults)
    schedule.countsRepetitions = false
    follower = ChangeFollower(store: store, schedule: schedule, onDamage: onDamage)
    let effect = try follower.catchUp(to: now)
    engine = try AlarmEngine(
      store: store, journal: StoreJournal(store: store, channels: channels, onDamage: onDamage),
      policy: policy, schedule: schedule, devices: devices, start: now, clock: .wall(lateAfter: grace))
    regions = RegionWatch(store: store, policy: policy, devices: devices, start: now)
    engine.onDamage = onDamage
    engine.keepsHistory = keepsHistory
    engine.recordsDecisions = recordsDecisions
    engine.maximumAge = maximumAge
    // Alarms that were made or edited while no engine ran may be for where a device is now.
    try engine.follow(effect)
  }

  /// The counts of positions so far.
  public var counts: AlarmEngine.Counts { engine.counts }

  /// Whether there are positions that could not be stored yet. Others should wait.
  public var isHolding: Bool { !waiting.isEmpty }

  /// Called for an unreadable device state, with its name and the error.
  public var onDamagedState: ((String, DeviceStateDecodingError) -> Void)? {
    get { engine.onDamagedState }
    set { engine.onDamagedState = newValue }
  }

  /// The device by which the regions of apps are judged; `nil` for the only one.
  public var person: String? {
    get { regions.person }
    set { regions.person = newValue }
  }

  /// Called once if apps watch regions, and there are several devices of which none is ``person``.
  public var onSeveralDevices: (() -> Void)? {
    get { regions.onSeveralDevices }
    set { regions.onSeveralDevices = newValue }
  }

  /// The number of detected changes of items, including responses to alarms.
  public private(set) var changes = 0

  /// Processes positions in the order of time, after alarms that are due by `now`.
  ///
  /// - Parameters:
  ///   - fixes: The positions.
  ///   - now: The current time.
  ///   - change: The store's last change, if the caller has just looked it up.
  /// - Returns: The alarms that went off; they are in the ledger.
  /// - Throws: If the store can't be read or written. Then no position is lost and no alarm is repeated: the
  ///   next call processes the same positions again, from the state in the store.
  public func process(_ fixes: [Fix], at now: Instant, change: Int64? = nil) throws -> [Firing] {
    waiting += fixes
    // A phone may send what it stored newest first, and several messages may have come at once.
    waiting.sortByTime()
    do {
      if hasFailed {
        try engine.rollBack()
        regions.rollBack()
      }
      try follow(to: now, change)
      engine.recorder?.beat(at: now)
      // Each step depends on the one before, and is stored before the next.
      var firings = try engine.advance(to: now)
      firings += try engine.lookAtNewAlarms()
      if !waiting.isEmpty { firings += try engine.process(waiting) }
      try regions.process(waiting, at: now)
      if !waiting.isEmpty {
        waiting.removeAll(keepingCapacity: true)
        firings += try engine.advance(to: now)
      }
      hasFailed = false
      return firings
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// Processes changes, and alarms that are due by `now`.
  public func wake(at now: Instant) throws -> [Firing] { try process([], at: now) }

  /// When the next time alarm is due, or silence settles a doubt; `nil` if nothing is scheduled.
  public func nextDue() throws -> Instant? {
    [try engine.nextDue(), regions.nextDue].compactMap(\.self).min()
  }

  /// Takes over the positions that another engine could not store yet.
  public func takeOver(from other: LiveAlarmEngine) {
    waiting = other.waiting
    engine.takeOverNewAlarms(from: other.engine)
    if let run = other.engine.recorder?.run { engine.recorder?.begin(run) }
  }

  /// Whether the store knows a device.
  public func isKnown(_ device: String) throws -> Bool { try store.read { try $0.hasDevice(named: device) } }

  /// Forgets the cached state of devices, because their numbers may be assigned again.
  public func release(_ devices: [DeviceNumber]) { engine.release(devices) }

  /// Erases devices from the store in small transactions, which do not block others for long.
  public func erase(_ devices: [String]) throws {
    var rest = devices[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(500))
      try store.write { try $0.removeDevices(named: some) }
      rest = rest.dropFirst(some.count)
    }
  }

  /// Erases positions from before a moment, if the history is kept.
  public func removeHistory(before moment: Instant) throws {
    try store.write { try $0.removeHistory(before: moment) }
  }

  /// Erases records of decisions from before a moment.
  public func removeRecords(before moment: Instant) throws {
    try store.write { try $0.removeRecords(before: moment) }
  }

  /// Erases the firings from before a moment, in small transactions.
  public func removeFirings(before moment: Instant) throws {
    try store.writeInSteps { try $0.removeFirings(before: moment, atMost: 500) }
  }

  /// The time of the oldest position, if the history is kept.
  public func oldestPosition() throws -> Instant? { try store.read { try $0.oldestPosition() } }

  /// Records the end of this run.
  public func finish(at now: Instant) throws {
    try follower.finish(at: now)
    engine.recorder?.beat(at: now, isLast: true)
    if let run = engine.recorder?.run { try store.write { try $0.record([run]) } }
  }

  /// The store's last change that the engine knows; `nil` before the first look.
  public var lastChange: Int64? { follower.lastChange }

  private func follow(to now: Instant, _ change: Int64?) throws {
    let effect = try follower.catchUp(to: now, change: change)
    // What changes during the steps that follow is for the next call.
    engine.change = follower.lastChange
    if effect != .nothing { changes += 1 }
    pendingEffect = pendingEffect.adding(effect)
    try engine.follow(pendingEffect)
    pendingEffect = .nothing
  }
}
