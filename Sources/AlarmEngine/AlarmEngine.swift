public import CalendarModel
public import CalendarStore
import Geodesy
public import Geofencing
public import Recurrence

/// Turns fixes and the passing of time into firings.
///
/// The engine is told what happens: fixes by ``process(_:)``, time by ``advance(to:)``. It has no clock, no
/// thread and no I/O but the store's, so that a replay and the daemon run the same code. It is confined to
/// whoever made it.
public final class AlarmEngine {
  /// What the engine does about alarms whose time passed while nothing ran.
  public enum Clock: Hashable, Sendable {
    /// The clock of a trace, which never sleeps: every alarm goes off at its time.
    case trace
    /// The clock on the wall: what is due more than so many seconds ago goes off late, and missed
    /// occurrences of a series are folded into one. Fixes don't move it, since they come late, and from
    /// devices whose clocks are wrong.
    case wall(lateAfter: Double)
  }

  /// What the engine heard so far.
  public struct Counts: Hashable, Sendable {
    /// Fixes, and why some were turned away.
    public var admissions = AdmissionCounts()
    /// Crossings of fences.
    public var transitions = 0
    /// Alarms that went off.
    public var firings = 0
  }

  let store: CalendarStore
  let schedule: AlarmSchedule
  let devices: DeviceRegistry
  let clock: Clock
  var journal: any EngineJournal
  var evaluator: FenceEvaluator
  /// The fences of regions that phones watch themselves; `nil` before the first look at the store.
  var ownRegions: [WaypointKey: [FenceID]]?
  var loader: FenceLoader
  var fenceAlarms = FenceAlarms()
  /// What is known of each device that was heard from, by its number.
  var states: [DeviceState?] = []
  /// Devices that were heard from in this step.
  var heard = DeviceSet()
  var queue = DueQueue()
  /// Stays whose end has come on the wall, but not yet for the device: see ``ripeTime(of:)``.
  var stays: [DueTime] = []
  /// Devices whose doubts silence settles, by when.
  var ripening = RipeningQueue()
  /// Crossings that silence settled before the fix that was weighed with them, until the clock has come to them.
  var ripened: [Transition] = []
  /// Whether those that an earlier run left in doubt are among ``ripening``.
  var knowsDevicesInDoubt = false
  /// The last position of each device that was taken in, by its number: its time, and when that was.
  var heardAt: [(time: Instant, wall: Instant)?] = []
  private(set) var start: Instant
  /// From when on the silence counts of devices of which only the journal knows: from the start, since an earlier run may
  /// have missed anything, or from when one was released.
  private(set) var silentSince: Instant
  /// Due times later than this are in the journal only.
  var horizon = Instant.distantPast
  var step = EngineStep()
  var crossings: [Transition] = []
  var gaps = FixGaps()
  /// When alarms that are limited to once, or once a day, last went off.
  var lastFirings: [AlarmOfItem: Instant] = [:]

  /// An alarm by its item too: files give one identifier to alarms of several items.
  struct AlarmOfItem: Hashable {
    var item: Identifier<CalendarItem>
    var alarm: Identifier<Alarm>
  }

  /// What counts as having crossed a boundary.
  public var policy: Policy { evaluator.policy }
  /// What was heard so far.
  public internal(set) var counts = Counts()
  /// What time it is: the latest time that the engine was told, unless the clock on the wall was set back since.
  public internal(set) var now: Instant

  /// Crossings that were sure more than so many seconds ago let no alarm go off. Younger ones do, marked late.
  public var latestAge = 7.0 * 86_400

  /// Whether each position that is taken in is kept, and not only the last of each device.
  public var keepsHistory = false
  /// The positions that were taken in by this step, where they are kept.
  var track: [Fix] = []

  /// Called with each transition, whether an alarm asked for it or not, before the firings that it leads to.
  public var onTransition: ((Transition) -> Void)?

  /// Called with each fix and what became of it.
  public var onFix: ((Fix, Admission) -> Void)?

  /// Called with what the robust policy made of each fix at each boundary in doubt, before ``onFix``.
  public var onJudgement: ((Fix, Judgement) -> Void)?

  /// Called where what was kept of a device can't be read: its name, and what is wrong. It begins anew from its last
  /// position; others are not concerned.
  public var onDamagedState: ((String, DeviceStateDecodingError) -> Void)?

  /// Called where a crossing was one that an alarm waits for, and the alarm stayed silent all the same.
  public var onSuppression: ((StoredFence, Transition, Suppression) -> Void)?

  /// An engine over the alarms of `store`, at the time `start`.
  ///
  /// - Parameters:
  ///   - store: Where the items are.
  ///   - journal: Where due times, firings and last known positions are kept.
  ///   - policy: What counts as having crossed a boundary.
  ///   - schedule: When alarms are due, and in which zone floating times are meant.
  ///   - devices: The registry that numbers the devices of the fixes.
  ///   - start: What time it is.
  ///   - clock: What to do about alarms whose time passed while nothing ran.
  /// - Throws: ``StoreError`` where the store can't be read.
  ///
  /// Fences are loaded as devices come near them.
  public init(
    store: CalendarStore, journal: any EngineJournal, policy: Policy, schedule: AlarmSchedule,
    devices: DeviceRegistry, start: Instant, clock: Clock
  ) throws {
    self.store = store
    self.journal = journal
    self.schedule = schedule
    self.devices = devices
    self.clock = clock
    self.start = start
    silentSince = start
    self.now = start
    var evaluator = FenceEvaluator(policy: policy)
    loader = try FenceLoader(store: store, keepsAlarms: clock == .trace, into: &evaluator.index)
    self.evaluator = evaluator
  }

  /// Begins anew from what the store says: fences and due times that were changed by somebody else count from
  /// now on. What is known of devices stays.
  ///
  /// Cost: microseconds, and the fences near each device again when it is heard from.
  public func reload() throws {
    fenceAlarms = FenceAlarms()
    queue.removeAll()
    stays.removeAll()
    horizon = .distantPast
    evaluator.index = FenceIndex()
    ownRegions = nil
    loader = try FenceLoader(store: store, keepsAlarms: clock == .trace, into: &evaluator.index)
  }

  /// Forgets what is not kept yet, after a call that failed: devices, due times and alarms are again as the store has
  /// them, so that the same fixes can be handed in again, and lead to the same. What the failed call had kept already
  /// is told by the next one.
  public func rollBack() throws {
    step = EngineStep()
    track.removeAll()
    heard.removeAll()
    states.removeAll()
    heardAt.removeAll()
    gaps = FixGaps()
    ripening.removeAll()
    ripened.removeAll()
    knowsDevicesInDoubt = false
    lastFirings.removeAll()
    try reload()
  }

  /// Forgets what is at hand of devices, whose numbers others may have from now on. The journal keeps what it has of them.
  ///
  /// One that is in doubt is found again in the journal, and silence settles its doubt as if it had been heard of now.
  public func release(_ devices: [DeviceNumber]) {
    for device in devices where Int(device.rawValue) < states.count {
      if ripening.contains(Int(device.rawValue)) {
        knowsDevicesInDoubt = false
        silentSince = max(silentSince, now)
      }
      states[Int(device.rawValue)] = nil
      heardAt[Int(device.rawValue)] = nil
      gaps.forget(device)
      ripening.set(nil, of: Int(device.rawValue))
    }
  }

  // MARK: What happens

  /// Weighs fixes in the order in which they came, lets the clock come along, and keeps what follows as one
  /// step.
  ///
  /// - Returns: The alarms that went off, in order.
  public func process(_ fixes: [Fix]) throws -> [Firing] {
    try fenceAlarms.follow(store)
    var next = 0
    while next < fixes.count { next = try weighRun(of: fixes, from: next) }
    return try keep(fixes)
  }

  /// Lets the clock come to `time`: alarms that are due by then go off. Where that is before ``now``, the clock on the
  /// wall was ahead, and it is as if what was heard meanwhile had been heard at `time`.
  ///
  /// - Returns: The alarms that went off, in order.
  public func advance(to time: Instant) throws -> [Firing] {
    try fenceAlarms.follow(store)
    if clock != .trace, time < now { setBack(to: time) }
    try passTime(to: time)
    return try keep()
  }

  private func setBack(to time: Instant) {
    now = time
    start = min(start, time)
    silentSince = min(silentSince, time)
    for index in heardAt.indices {
      if let heard = heardAt[index], heard.wall > time { heardAt[index] = (heard.time, time) }
    }
    for device in ripening.devices { awaitRipening(of: device) }
  }

  /// When the next alarm of time is due; `nil` where none is.
  public func nextDue() throws -> Instant? {
    try refillQueue()
    var next = queue.earliest?.time
    for stay in stays { next = min(next ?? .distantFuture, try ripeTime(of: stay)) }
    try findDevicesInDoubt()
    if let ripe = nextRipening { next = min(next ?? .distantFuture, ripe) }
    return next
  }

  /// Makes sure that there is a state of a device: the one that the journal has of it, or a new one.
  func makeState(of device: DeviceNumber) throws {
    let index = Int(device.rawValue)
    while states.count <= index {
      states.append(nil)
      heardAt.append(nil)
    }
    // A comparison with nil would copy it.
    if case .none = states[index] { states[index] = try savedState(of: device) }
  }

  private func savedState(of device: DeviceNumber) throws -> DeviceState {
    let name = devices.name(of: device)
    do {
      return try journal.state(ofDevice: name) ?? DeviceState()
    } catch let damage as DeviceStateDecodingError {
      onDamagedState?(name, damage)
      return try beginAnew(device)
    }
  }

  /// A state of a device of which no more is known than where it was last.
  private func beginAnew(_ device: DeviceNumber) throws -> DeviceState {
    let name = devices.name(of: device)
    var state = DeviceState()
    guard var fix = try store.read({ try $0.devices() }).first(where: { $0.name == name })?.lastFix else {
      return state
    }
    fix.device = device
    try loader.load(for: fix.coordinate, after: nil, into: &evaluator.index, &fenceAlarms)
    var crossings: [Transition] = []
    evaluator.evaluate(fix, state: &state, into: &crossings)
    return state
  }

  /// How many seconds without a fix are long enough for a device to have been anywhere meanwhile.
  public static var leastGap: Double { FixGaps.least }

  /// For how long nothing was heard of the device around a crossing that was told last: from when to when, so that it may
  /// have been at any time in between. `nil` where that is less than five minutes.
  public func gap(around transition: Transition) -> ClosedRange<Instant>? {
    // What came late fills the gap.
    transition.isLate ? nil : gaps.gap(around: transition)
  }

  func take(_ transition: Transition) throws {
    counts.transitions += 1
    onTransition?(transition)
    guard let fence = try fenceAlarms.fence(number: transition.fence.rawValue, in: store) else { return }
    try fire(fence, on: transition)
  }

  func passTime(to time: Instant) throws {
    // A stay that an old fix began may be over before a fix that is old too.
    let clockTime = max(time, now)
    try findDevicesInDoubt()
    try endStays(by: clockTime)
    while true {
      try refillQueue()
      // A doubt that is settled at the moment of a due time comes before that.
      let heardUntil = clock == .trace ? time : clockTime
      if try takeRipe(through: min(heardUntil, queue.earliest?.time ?? .distantFuture)) { continue }
      guard let due = queue.popFirst(through: time) else { break }
      now = max(now, due.time)
      if due.kind == .dwell, try ripeTime(of: due) > clockTime {
        if !stays.contains(due) { stays.append(due) }
        continue
      }
      // Not the latest time: a clock that was ahead for a while makes nothing late.
      try fire(due, at: time)
    }
    now = max(now, time)
  }

  // MARK: Keeping

  /// Puts a firing into the step.
  func add(_ firing: Firing) { step.firings.append(firing) }

  /// Puts a due time into the step, and into the queue if it comes before the horizon.
  func arm(_ due: DueTime) {
    step.arm(due)
    if due.time <= horizon { queue.insert(due) }
  }

  /// Fetches due times from the journal when those at hand are used up.
  func refillQueue() throws {
    guard queue.isEmpty, horizon < .distantFuture else { return }
    // The journal must know of this step before it can say what is next.
    if !step.isQuiet { pending += try commit() }
    // The journal has those that are being held too.
    let next = try journal.nextDueTimes(limit: 1024 + stays.count)
    for due in next.dueTimes { queue.insert(due) }
    horizon = next.isAll ? .distantFuture : next.dueTimes.last?.time ?? .distantFuture
  }

  /// Firings of this call that were committed before it was over.
  private var pending: [Firing] = []

  private func keep(_ fixes: [Fix] = []) throws -> [Firing] {
    if journal.keepsStates {
      for device in heard.members { step.devices[devices.name(of: device)] = states[Int(device.rawValue)] }
      for fix in fixes where states[Int(fix.device.rawValue)]?.lastFix?.time == fix.time {
        step.claims[devices.name(of: fix.device)] = fix.horizontalAccuracy
      }
    }
    heard.removeAll()
    for fix in track { step.history[devices.name(of: fix.device), default: []].append(fix) }
    track.removeAll(keepingCapacity: true)
    let firings = pending + (try commit())
    pending.removeAll()
    counts.firings += firings.count
    return firings
  }

  private func commit() throws -> [Firing] {
    let firings = try journal.commit(step)
    step = EngineStep()
    return firings
  }
}
