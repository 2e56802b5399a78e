import AlarmEngine
import CalendarModel
import CalendarStore
public import CoreLocation
import Foundation
import Geodesy
import Geofencing
import Recurrence

/// Lets the alarms of a store go off: those of place as positions are told, those of time as time passes.
///
///     let engine = store.alarmEngine()
///     let firings = await engine.firings()
///     Task { try await engine.run() }
///     Task { for await location in myLocations { try await engine.process(location) } }
///     for await firing in firings {
///       let item = store.calendarItem(withIdentifier: firing.calendarItemIdentifier)
///       print(firing.kind, item?.title ?? "")
///     }
///
/// Each firing is written to the store's ledger before it is handed out, and is handed out once, whatever is told
/// twice and however often the app starts. One engine at a time may watch a store: the daemon, or an app. Where another
/// one does, its methods throw; the one that was first has the store until it goes.
///
/// Fencepost's own; on Apple's systems the system does this.
public actor EKAlarmEngine {
  /// What counts as having crossed a boundary.
  public enum Policy: Sendable {
    /// What a user would call having arrived: positions are weighed by their accuracy, and outliers don't count.
    case robust
    /// Each position counts as it stands, for positions that are clean.
    case exact
  }

  private let queue = EngineQueue()
  private let session: StoreSession
  private let policy: Geofencing.Policy
  private let clock: any EKAlarmClock
  private let devices = DeviceRegistry()
  private var engine: AlarmEngine?
  /// From the first call on: one engine at a time.
  private var lock: StoreLock?
  /// Arms what other programs saved, which need not know when an alarm is due.
  private var follower: ChangeFollower?
  private var now: Instant?
  private var listeners: [UUID: AsyncStream<EKAlarmFiring>.Continuation] = [:]
  private var sleep: Task<Void, Never>?

  /// Seconds after its time from which on an alarm is said to be late.
  private static let lateness = 60.0

  init(session: StoreSession, policy: Policy, clock: any EKAlarmClock) {
    self.session = session
    self.policy = policy == .robust ? .robust : .exact
    self.clock = clock
  }

  /// The engine waits for the store, so it runs on a queue of its own and never on the threads that tasks share.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// The alarms that go off from now on. Each call makes a sequence of its own, and each of them has every firing.
  public func firings() -> AsyncStream<EKAlarmFiring> {
    let (stream, continuation) = AsyncStream<EKAlarmFiring>.makeStream()
    let id = UUID()
    listeners[id] = continuation
    continuation.onTermination = { _ in
      Task { [weak self] in await self?.forget(id) }
    }
    return stream
  }

  private func forget(_ id: UUID) { listeners[id] = nil }

  // MARK: What happens

  /// Tells where a device is.
  ///
  /// - Parameters:
  ///   - location: Its position. One whose accuracy is negative is not valid, as on Apple's systems, and is passed
  ///     over.
  ///   - device: Its name, where there are several.
  /// - Returns: The alarms that went off, which are handed to ``firings()`` too.
  /// - Throws: ``EKError`` where the store can't be read or written.
  @discardableResult
  public func process(_ location: CLLocation, device: String = "device") throws -> [EKAlarmFiring] {
    try process([location], device: device)
  }

  /// Tells where a device was, position by position. One call with many is far cheaper than many calls: it is one
  /// transaction.
  ///
  /// - Returns: The alarms that went off, in order.
  /// - Throws: ``EKError`` where the store can't be read or written.
  @discardableResult
  public func process(_ locations: [CLLocation], device: String = "device") throws -> [EKAlarmFiring] {
    let number = devices.number(of: device)
    return try perform { engine in
      try engine.process(locations.filter { $0.horizontalAccuracy >= 0 }.map { Fix($0, device: number) })
    }
  }

  /// Lets the alarms of time go off that are due by now. ``run()`` does so at the right moments.
  ///
  /// - Returns: The alarms that went off, in order.
  /// - Throws: ``EKError`` where the store can't be read or written.
  @discardableResult
  public func advance() throws -> [EKAlarmFiring] {
    let now = clock.now.instant
    return try perform { try $0.advance(to: now) }
  }

  /// Waits for one alarm of time after the other and lets it go off, until its task is cancelled. What is saved
  /// meanwhile, by this process or another one, is taken along.
  ///
  /// - Throws: `CancellationError` when cancelled; ``EKError`` where the store can't be read or written.
  public func run() async throws {
    while true {
      try Task.checkCancellation()
      try advance()
      let due = try loadedEngine().nextDue().map { Date($0) } ?? .distantFuture
      let clock = clock
      let sleep = Task { _ = try? await clock.sleep(until: due) }
      self.sleep = sleep
      await withTaskCancellationHandler {
        await sleep.value
      } onCancel: {
        sleep.cancel()
      }
    }
  }

  // MARK: The engine below

  private func perform(_ body: (AlarmEngine) throws -> [Firing]) throws -> [EKAlarmFiring] {
    do {
      let engine = try loadedEngine()
      let fired = try body(engine)
      now = engine.now
      let firings = visible(fired)
      for firing in firings {
        for listener in listeners.values { listener.yield(firing) }
      }
      // What is due next may have changed.
      sleep?.cancel()
      return firings
    } catch {
      // Its state may be ahead of the store's; the next call begins with what the store says.
      do { try engine?.rollBack() } catch { engine = nil }
      throw EKError.make(error)
    }
  }

  private func visible(_ firings: [Firing]) -> [EKAlarmFiring] {
    guard !firings.isEmpty else { return [] }
    let (events, reminders) = (session.hasFullAccess(to: .event), session.hasFullAccess(to: .reminder))
    let resolver = session.resolver
    return firings.filter { firing in
      guard let item = session.storedItem(firing.item) else { return events && reminders }
      return item.isEvent ? events : reminders
    }.map { EKAlarmFiring($0, resolver: resolver) }
  }

  private func loadedEngine() throws -> AlarmEngine {
    if let engine {
      if try follower?.catchUp(to: clock.now.instant) == true { try engine.reload() }
      return engine
    }
    let store = try session.openStore().store
    if lock == nil { lock = try StoreLock(of: store) }
    let schedule = AlarmSchedule(
      resolver: session.resolver, defaults: try AlarmDefaults.settings(for: session.location))
    var follower = ChangeFollower(store: store, schedule: schedule)
    _ = try follower.catchUp(to: clock.now.instant)
    let made = try AlarmEngine(
      store: store, journal: StoreJournal(store: store), policy: policy, schedule: schedule, devices: devices,
      start: now ?? clock.now.instant, clock: .wall(lateAfter: Self.lateness))
    engine = made
    self.follower = follower
    observe()
    return made
  }

  private var observation: Observation?

  /// Wakes ``run()`` after a change of the store, at which each call looks.
  private func observe() {
    guard observation == nil else { return }
    let session = session
    let id = session.observe { [weak self] in
      Task { await self?.storeDidChange() }
    }
    observation = Observation { session.stopObserving(id) }
  }

  private func storeDidChange() {
    sleep?.cancel()
  }
}

extension EKEventStore {
  /// An engine that lets the alarms of this store go off. Fencepost's own.
  ///
  /// - Parameters:
  ///   - policy: What counts as having crossed a boundary.
  ///   - clock: Where the time comes from.
  /// - Returns: The engine. Alarms of items that the app has no full access to are kept in the ledger, and not
  ///   handed out.
  public func alarmEngine(
    policy: EKAlarmEngine.Policy = .robust, clock: any EKAlarmClock = EKSystemAlarmClock()
  ) -> EKAlarmEngine {
    EKAlarmEngine(session: session, policy: policy, clock: clock)
  }
}

/// Ends an observation with its owner.
private final class Observation: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}

extension Fix {
  /// A position as the engine takes it.
  fileprivate init(_ location: CLLocation, device: DeviceNumber) {
    self.init(
      device: device, time: location.timestamp.instant,
      coordinate: Coordinate(
        latitude: location.coordinate.latitude, longitude: location.coordinate.longitude),
      horizontalAccuracy: location.horizontalAccuracy > 0 ? location.horizontalAccuracy : nil,
      altitude: location.altitude, speed: location.speed >= 0 ? location.speed : nil,
      course: location.course >= 0 ? location.course : nil)
  }
}
