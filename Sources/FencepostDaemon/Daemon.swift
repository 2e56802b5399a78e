import AlarmEngine
import CalendarModel
public import CalendarStore
import FoundationEssentials
import Glibc
import Recurrence
import System

/// The daemon: it connects feeds, engine, clock and channels.
///
/// One thread handles alarms. It sleeps until an event: a position, a due alarm, a change of the store, the clock or
/// the zone, or a request. Each feed and each channel has its own thread, because they may block.
public final class Daemon {
  var configuration: DaemonConfiguration
  /// Reads the settings.
  private let configure: () throws -> DaemonConfiguration
  let store: CalendarStore
  let log: Log
  private let lock: StoreLock
  private let loop: EventLoop
  private let timer: AlarmTimer
  private let signals: Signals
  private let watch: FileWatch
  /// Tells when the store itself is moved, deleted or replaced.
  private let storeWatch: FileWatch
  private let zoneWatches: [FileWatch]
  let mailbox: Mailbox<Arrival>
  private let requests: Mailbox<ReloadRequest>
  private let control: ControlServer
  private let manager = ServiceManager()
  private let heart: Ticker?
  private let subscriptions: SubscriptionWatch
  let board: StatusBoard
  let devices: DeviceRegistry
  private let roll: DeviceRoll
  /// The identity of this daemon.
  let identity: String
  var feeds: [FeedRunner] = []
  /// The server, which requests over the socket ask too.
  let web = WebHolder()
  var channels: [ChannelWorker] = []
  /// Channels that were taken away and may still be busy with a delivery.
  var retired: [ChannelWorker] = []
  var keeper: AlarmKeeper
  var resolver: TimeResolver
  private let backoff = Backoff(first: 1, most: 15)
  /// The consecutive failures of the store, and the time of the next attempt.
  private var storeFailures = 0
  private var rest: Wait?
  /// True if another store has replaced this one.
  private var hasSuccessor = false
  /// In how many seconds to look what others changed, where somebody wrote to the store: the last write of a
  /// transaction comes before the disk has it, and it can be seen after that only.
  private var nextLooks: ArraySlice<Double> = []
  private static let looks: ArraySlice<Double> = [0.01, 0.04, 0.16, 0.64, 2.56]
  private var nextLook: Wait?
  /// Whether it was said that the store has a second name.
  private var hasWarnedOfName = false
  /// When to look whether the zones have changed.
  var zoneCheck: Wait?
  /// When to look for positions that were kept long enough.
  var nextPrune = Instant.distantPast

  /// A daemon over `store`, ready to run.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - log: The log.
  ///   - configure: Returns the configuration. Called again for each reload; if it throws then, the settings stay.
  ///
  /// Takes the store's lock, and arms what was changed while none ran.
  public init(store: CalendarStore, log: Log, configure: @escaping () throws -> DaemonConfiguration) throws {
    let configuration = try configure()
    self.configuration = configuration
    self.configure = configure
    self.store = store
    self.log = log
    devices = DeviceRegistry()
    roll = DeviceRoll(devices)
    lock = try StoreLock(of: store)
    loop = try EventLoop()
    timer = try AlarmTimer()
    signals = try Signals([SIGTERM, SIGINT, SIGHUP])
    signal(SIGPIPE, SIG_IGN)
    watch = try FileWatch(path: store.path + "-wal")
    storeWatch = try FileWatch(path: store.path, .existence)
    zoneWatches = configuration.zones.watches()
    mailbox = try Mailbox(capacity: 64)
    requests = try Mailbox(capacity: 16)
    heart = try manager.heartbeat.map { seconds throws(SystemFailure) in try Ticker(every: seconds) }
    subscriptions = SubscriptionWatch(store: store, log: log)
    let isPaused = try store.read { try $0.setting(Daemon.pauseSetting) } != nil
    let board = StatusBoard(isPaused: isPaused)
    self.board = board
    resolver = try configuration.zones.resolver(floating: configuration.zone, store: store)
    let pausing = Monitor(())
    // Before what may take its time, so that whoever asks meanwhile knows that there is a daemon.
    control = try ControlServer(path: configuration.socket) { [requests, store, web] request in
      do {
        switch request {
        case .status: return try board.json()
        case .pause, .resume:
          // What is in the store and what is done are the same, whoever else says so.
          try pausing.withLock { _ in
            try store.write { try $0.set(request == .pause ? "1" : nil, for: Daemon.pauseSetting) }
            board.setPaused(request == .pause)
          }
        case .reload:
          let ticket = ReloadRequest()
          requests.post(ticket)
          if let failure = ticket.wait() { return StatusBoard.failure(failure) }
        case .web:
          guard let service = web.service else {
            return StatusBoard.failure(
              "the daemon serves no web app; start it with --serve http://127.0.0.1:8787")
          }
          return service.signInLine()
        }
        return "{}"
      } catch {
        return StatusBoard.failure("\(error)")
      }
    }
    keeper = try Daemon.keeper(configuration, store: store, resolver: resolver, devices: devices, log: log)
    identity = try Daemon.identity(of: store)
    try replaceFeedsAndChannels(with: configuration, resolver: resolver)
  }

  /// Set where deliveries are held back, also over a restart.
  private static let pauseSetting = "paused"

  /// What tells the daemon over a store from others, to those that remember it: a random word that the store keeps.
  private static func identity(of store: CalendarStore) throws -> String {
    let name = "identity"
    if let identity = try store.read({ try $0.setting(name) }) { return identity }
    let identity = UUID().uuidString
    try store.write { try $0.set(identity, for: name) }
    return identity
  }

  /// Why the daemon ended.
  public enum Ending: Sendable {
    /// On request.
    case stopped
    /// The store was moved, deleted or replaced, and a whole one is there now: for another daemon.
    case storeReplaced
  }

  /// Runs until SIGTERM or SIGINT, then delivers what is at hand; or until another store is in the place of this one.
  ///
  /// As long as the store is gone, nothing is taken: HTTP feeds answer 503.
  ///
  /// - Throws: Where the last of it could not be kept.
  public func run() throws -> Ending {
    try loop.watch(timer.descriptor) { [unowned self] _ in
      guard timer.acknowledge() else { return }
      // The clock was set: threads that wait for a moment look anew, too.
      for channel in channels { channel.wake() }
      subscriptions.wake()
    }
    try loop.watch(signals.descriptor) { [unowned self] _ in for signal in signals.drain() { take(signal) } }
    try loop.watch(watch.descriptor) { [unowned self] _ in if watch.drain() { nextLooks = Daemon.looks } }
    try loop.watch(storeWatch.descriptor) { [unowned self] _ in
      // It may be back, too.
      if storeWatch.drain() { rest = rest.map { _ in Wait(seconds: 0, from: .wallClock()) } }
    }
    try loop.watch(requests.descriptor) { [unowned self] _ in
      for request in requests.drain() { request.answer(reload()) }
    }
    // Whatever comes is looked at after each batch of events.
    try loop.watch(mailbox.descriptor) { _ in }
    for watch in zoneWatches {
      // A change comes in many parts, file by file.
      try loop.watch(watch.descriptor) { [unowned self] _ in
        if watch.drain() { zoneCheck = Wait(seconds: 1, from: .wallClock()) }
      }
    }
    if let heart {
      try loop.watch(heart.descriptor) { [manager] _ in
        heart.acknowledge()
        manager.beat()
      }
    }
    for channel in channels { try channel.start() }
    for feed in feeds { try feed.start() }
    try control.start()
    try subscriptions.start()
    log(.info, "watching \(store.path): \(surroundings)")
    work()
    manager.ready()
    try loop.run { work() }
    if hasSuccessor {
      leave()
      return .storeReplaced
    }
    try finish()
    return .stopped
  }

  private func take(_ signal: Int32) {
    if signal == SIGHUP { _ = reload() } else { loop.stop() }
  }

  /// Reloads the settings and the store.
  ///
  /// - Returns: The error if the settings stay; `nil` on success.
  private func reload() -> String? {
    manager.reloading()
    defer { manager.ready() }
    do {
      try apply(try configure())
      log(.notice, "read the settings: \(surroundings)")
      return nil
    } catch {
      log(.error, "\(error); keeping the previous settings")
      return "\(error); the daemon keeps its previous settings"
    }
  }

  /// Does what is to be done now, and sets the timer to when something is to be done next.
  ///
  /// Called after each batch of events, whichever they were: to look whether there is something to do costs
  /// microseconds, and it can't be forgotten this way.
  private func work() {
    let now = Instant.wallClock()
    if let rest, !rest.isOver(at: now) {
      // What nobody waits for stays in the mailbox. The others send it again.
      for arrival in mailbox.drain(where: { $0.completion != nil }) { arrival.completion?(false) }
      return setTimer(rest.end)
    }
    var arrivals: [Arrival] = []
    let isKept = attempt {
      if let check = zoneCheck, check.isOver(at: now) { try followZones() }
      // After what may fail, so that the keeper has what the mailbox has no more. As long as the store fails, what the
      // keeper could not take is all that is held besides what the mailbox does.
      if !keeper.isHolding { arrivals = mailbox.drain() }
      let hadFailed = storeFailures > 0
      let changes = keeper.changes
      let firings = try keeper.take(number(arrivals, at: now), at: now)
      if nextPrune <= now { try prune(at: now) }
      // A call that failed may have led to firings, too; and what somebody changed may be an answer to an alarm that
      // a channel shows.
      if !firings.isEmpty || hadFailed || keeper.changes != changes {
        for channel in channels { channel.wake() }
      }
      if keeper.changes != changes { subscriptions.wake() }
      tellPages(of: firings, hasChanged: keeper.changes != changes, haveMoved: !arrivals.isEmpty)
      let next = try keeper.nextDue()
      if nextLook?.isOver(at: now) ?? true {
        nextLook = nextLooks.popFirst().map { Wait(seconds: $0, from: now) }
      }
      setTimer([next, nextLook?.end, zoneCheck?.end, nextPrune].compactMap(\.self).min())
      manager.say(summary(next: next))
      warnOfSecondName()
    }
    for arrival in arrivals { arrival.completion?(isKept) }
  }

  /// The positions of `arrivals`, each under the number of its device.
  private func number(_ arrivals: [Arrival], at now: Instant) -> [Fix] {
    var fixes: [Fix] = []
    roll.beginRound()
    for var arrival in arrivals {
      arrival.desk.noteDatedAhead(arrival.removeDatedAhead(at: now))
      fixes += arrival.fixes
      guard !arrival.received.isEmpty else { continue }
      let admission = roll.admit(arrival.received, at: now) { name in
        // One that may be known is never erased.
        (try? keeper.isKnown(name)) ?? true
      }
      arrival.desk.noteSurplus(admission.surplus)
      keeper.release(admission.released)
      do {
        try keeper.erase(admission.erased)
      } catch {
        log(.warning, "can't remove old devices from the store: \(error)")
      }
      fixes += admission.fixes
    }
    return fixes
  }

  /// Warns once if the store has a second name.
  private func warnOfSecondName() {
    let hasSecondName = store.hasSecondName
    if hasSecondName, !hasWarnedOfName { log(.warning, "\(StoreError(path: store.path, reason: .linked))") }
    hasWarnedOfName = hasSecondName
  }

  private func setTimer(_ moment: Instant?) {
    do { try timer.set(moment) } catch { log(.error, "\(error)") }
  }

  /// How many feeds and channels there are, in words.
  private var surroundings: String {
    "\(feeds.count) feed\(feeds.count == 1 ? "" : "s"), \(channels.count) channel\(channels.count == 1 ? "" : "s")"
  }

  private func summary(next: Instant?) -> String {
    let time = next.map { FiringLines(resolver: resolver).text($0) }
    return surroundings + ", "
      + (time.map { "next time alarm at \($0)" } ?? "no time alarm ahead")
  }

  /// Does something with the store. Where that fails, nothing is lost, and it is tried again after a while.
  @discardableResult
  private func attempt(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      if storeFailures > 0 {
        log(.notice, "the store is available again")
        board.setStoreFailure(nil)
      }
      storeFailures = 0
      rest = nil
      return true
    } catch {
      storeFailures += 1
      if storeFailures == 1 { log(.error, "\(error); retrying") }
      if (error as? StoreError)?.reason == .replaced, (try? CalendarStore.check(store.path)) != nil {
        hasSuccessor = true
        loop.stop()
        return false
      }
      board.setStoreFailure("\(error)")
      manager.say("\(error); retrying")
      let rest = Wait(seconds: backoff.seconds(afterFailures: storeFailures), from: .wallClock())
      self.rest = rest
      setTimer(rest.end)
      return false
    }
  }

  /// Ends without the store, which is gone. What was handed over is sent again by those who wait for an answer.
  private func leave() {
    log(.notice, "\(store.path): the store was replaced; restarting with the new one")
    manager.reloading()
    // The next daemon of this process needs the port.
    web.set(nil)
    for feed in feeds { feed.stop() }
    for arrival in mailbox.drain() { arrival.completion?(false) }
    subscriptions.stop()
    control.stop()
    for channel in channels + retired { channel.stop(until: .wallClock()) }
  }

  /// Takes what the feeds had handed over, delivers, and notes that all was seen until now.
  private func finish() throws {
    manager.stopping()
    for feed in feeds { feed.stop() }
    rest = nil
    let wasHolding = keeper.isHolding
    work()
    // What the mailbox kept meanwhile.
    if wasHolding && storeFailures == 0 { work() }
    subscriptions.stop()
    control.stop()
    let deadline = Instant.wallClock().adding(seconds: Daemon.shutdownTimeout)
    for channel in channels + retired { channel.stop(until: deadline) }
    web.set(nil)
    if storeFailures == 0 { attempt { try keeper.finish(at: .wallClock()) } }
    log(.info, "ended")
    guard storeFailures == 0 else { throw DaemonError.endedUnkept(store.path) }
  }

  /// Seconds for last deliveries at shutdown.
  private static let shutdownTimeout = 5.0
}
