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
  /// Positions that were handed in and are not kept yet.
  private var waiting: [Fix] = []
  private var hasFailed = false

  /// A keeper of the alarms of `store`.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - policy: What counts as having crossed a boundary.
  ///   - resolver: The zones, and the one in which floating times are meant.
  ///   - devices: The registry that the feeds share.
  ///   - grace: Up to how many seconds after its time an alarm is still in time.
  ///   - defaults: When reminders ring that have no alarm.
  ///   - keepsHistory: Whether every position that is taken in is kept, and not only the last of each device.
  ///   - channels: Over which channels a firing is to be told.
  ///   - now: What time it is.
  ///
  /// Arms what was changed while nothing ran, and moves what is due where the zones are others than then.
  public init(
    store: CalendarStore, policy: Policy, resolver: TimeResolver, devices: DeviceRegistry, grace: Double,
    defaults: AlarmDefaults = AlarmDefaults(), keepsHistory: Bool = false,
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
  }

  /// What was heard so far.
  public var counts: AlarmEngine.Counts { engine.counts }

  /// Whether positions were handed in that could not be kept yet. Others should wait where they are meanwhile.
  public var isHolding: Bool { !waiting.isEmpty }

  /// Called where what was kept of a device can't be read: its name, and what is wrong.
  var onDamagedState: ((String, DeviceStateDecodingError) -> Void)? {
    get { engine.onDamagedState }
    set { engine.onDamagedState = newValue }
  }

  /// How often items, and with them answers to alarms, were found to have changed.
  public private(set) var changes = 0

  /// Weighs positions that came in, after what else is due by `now`.
  ///
  /// - Returns: The alarms that went off; they are in the ledger.
  /// - Throws: Where the store can't be read or written to. Nothing is lost then, and nothing happens twice: what was
  ///   handed in is taken again by the next call, beginning from what the store says.
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

  /// Looks at what has changed and lets go off what is due by `now`.
  public func wake(at now: Instant) throws -> [Firing] { try take([], at: now) }

  /// When the next alarm of time is due; `nil` where none is.
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

  /// Notes that this run ends.
  public func finish(at now: Instant) throws { try follower.finish(at: now) }

  private func follow(to now: Instant) throws {
    guard try follower.catchUp(to: now) else { return }
    changes += 1
    try engine.reload()
  }
}
