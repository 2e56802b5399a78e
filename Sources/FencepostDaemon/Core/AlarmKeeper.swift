public import AlarmEngine
public import CalendarModel
public import CalendarStore
public import Geofencing
public import Recurrence

/// The core of the daemon: it processes positions, time and changes of the store. It has no clock and no thread and
/// never waits, so that a test can play months in a moment. Not thread-safe.
public final class AlarmKeeper {
  private let store: CalendarStore
  private let engine: AlarmEngine
  private var follower: ChangeFollower
  /// Positions that are not stored yet.
  private var waiting: [Fix] = []
  private var hasFailed = false

  /// A keeper of the alarms of `store`.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - policy: The policy that detects crossings.
  ///   - resolver: The zones, and the one in which floating times are meant.
  ///   - devices: The registry that the feeds share.
  ///   - grace: The seconds until an alarm counts as late.
  ///   - latestAge: The greatest age in seconds of a crossing that late positions report.
  ///   - defaults: The default alarms.
  ///   - keepsHistory: Whether to store all positions, not only the last of each device.
  ///   - channels: The channels for a firing.
  ///   - now: The current time.
  ///
  /// Arms what was changed while nothing ran, and moves what is due where the zones are others than then.
  public init(
    store: CalendarStore, policy: Policy, resolver: TimeResolver, devices: DeviceRegistry, grace: Double,
    latestAge: Double = 7 * 86_400, defaults: AlarmDefaults = AlarmDefaults(), keepsHistory: Bool = false,
    channels: @escaping @Sendable (LedgerEntry) -> [String], now: Instant
  ) throws {
    self.store = store
    let schedule = AlarmSchedule(resolver: resolver, defaults: defaults)
    follower = ChangeFollower(store: store, schedule: schedule)
    _ = try follower.catchUp(to: now)
    engine = try AlarmEngine(
      store: store, journal: StoreJournal(store: store, channels: channels), policy: policy,
      schedule: schedule, devices: devices, start: now, clock: .wall(lateAfter: grace))
    engine.keepsHistory = keepsHistory
    engine.latestAge = latestAge
  }

  /// What was heard so far.
  public var counts: AlarmEngine.Counts { engine.counts }

  /// Whether there are positions that could not be stored yet. Others should wait.
  public var isHolding: Bool { !waiting.isEmpty }

  /// Called for an unreadable device state, with its name and the error.
  var onDamagedState: ((String, DeviceStateDecodingError) -> Void)? {
    get { engine.onDamagedState }
    set { engine.onDamagedState = newValue }
  }

  /// How often items, and with them answers to alarms, were found to have changed.
  public private(set) var changes = 0

  /// Processes positions, after alarms that are due by `now`.
  ///
  /// - Returns: The alarms that went off; they are in the ledger.
  /// - Throws: If the store can't be read or written. Nothing is lost then, and nothing happens twice: what was handed
  ///   in is taken again by the next call, beginning from what the store says.
  public func take(_ fixes: [Fix], at now: Instant) throws -> [Firing] {
    waiting += fixes
    do {
      if hasFailed { try engine.rollBack() }
      try follow(to: now)
      // In the order of what follows from what; each is kept before the next.
      var firings = try engine.advance(to: now)
      if !waiting.isEmpty {
        firings += try engine.process(waiting)
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
  public func wake(at now: Instant) throws -> [Firing] { try take([], at: now) }

  /// When the next time alarm is due; `nil` if there is none.
  public func nextDue() throws -> Instant? { try engine.nextDue() }

  /// Takes over what another keeper could not keep yet.
  func takeOver(from other: AlarmKeeper) { waiting = other.waiting }

  /// Whether the store knows a device.
  func isKnown(_ device: String) throws -> Bool { try store.read { try $0.hasDevice(named: device) } }

  /// Forgets what is at hand of devices, whose numbers others may have from now on.
  func release(_ devices: [DeviceNumber]) { engine.release(devices) }

  /// Erases devices from the store, a few at a time, so that nobody waits for long.
  func erase(_ devices: [String]) throws {
    var rest = devices[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(500))
      try store.write { try $0.removeDevices(named: some) }
      rest = rest.dropFirst(some.count)
    }
  }

  /// Erases positions from before a moment, where all are kept.
  func removeHistory(before moment: Instant) throws {
    try store.write { try $0.removeHistory(before: moment) }
  }

  /// When the oldest position is from, where all are kept.
  func oldestPosition() throws -> Instant? { try store.read { try $0.oldestPosition() } }

  /// Records the end of this run.
  public func finish(at now: Instant) throws { try follower.finish(at: now) }

  private func follow(to now: Instant) throws {
    guard try follower.catchUp(to: now) else { return }
    changes += 1
    try engine.reload()
  }
}
