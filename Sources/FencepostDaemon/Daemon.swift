import AlarmEngine
import CalendarModel
public import CalendarStore
import Foundation
import Glibc
public import Recurrence

/// Feeds, engine, clock and channels, joined for ever: what `fencepost daemon` runs.
///
/// One thread does all that concerns alarms, and sleeps until something happens: a position comes, the next alarm
/// is due, the store or the clock was changed, somebody asks. Each feed and each channel has a thread of its own,
/// since reading and telling may take any time.
public final class Daemon {
  private let configuration: DaemonConfiguration
  private let store: CalendarStore
  private let log: Log
  private let lock: StoreLock
  private let loop: EventLoop
  private let timer: AlarmTimer
  private let signals: Signals
  private let watch: FileWatch
  private let mailbox: Mailbox<Message>
  private let control: ControlServer
  private let board: StatusBoard
  private let feeds: [FeedRunner]
  private let channels: [ChannelWorker]
  private let keeper: AlarmKeeper
  private let backoff = Backoff(first: 1, most: 60)
  /// How often the store has failed in a row, and when to try again.
  private var storeFailures = 0
  private var notBefore: Instant?
  private var isStoreChanged = false

  /// A daemon over `store`, ready to run.
  ///
  /// Takes the store's lock, and arms what was changed while none ran.
  public init(
    _ configuration: DaemonConfiguration, store: CalendarStore, resolver: TimeResolver, log: Log
  ) throws {
    self.configuration = configuration
    self.store = store
    self.log = log
    lock = try StoreLock(storePath: store.path)
    loop = try EventLoop()
    timer = try AlarmTimer()
    signals = try Signals([SIGTERM, SIGINT, SIGHUP])
    signal(SIGPIPE, SIG_IGN)
    watch = try FileWatch(path: store.path + "-wal")
    mailbox = try Mailbox(capacity: 64)
    let devices = DeviceRegistry()
    feeds = configuration.feeds.map { [mailbox] in
      FeedRunner($0, devices: devices, mailbox: mailbox, log: log)
    }
    let isPaused = try store.read { try $0.setting(Daemon.pauseSetting) } != nil
    let surroundings = ChannelSurroundings(store: store, resolver: resolver, log: log)
    channels = try configuration.channels().map { address in
      if let caution = address.caution { log(.warning, caution) }
      let courier = Courier(
        name: address.description, channel: try address.open(surroundings), store: store, resolver: resolver,
        backoff: address.backoff, clock: Instant.wallClock)
      return ChannelWorker(courier, isPaused: isPaused, log: log)
    }
    let board = StatusBoard(feeds: feeds, channels: channels, isPaused: isPaused)
    self.board = board
    control = try ControlServer(path: configuration.socket) { [mailbox, store] request in
      do {
        switch request {
        case .status: return try board.json()
        case .pause, .resume:
          try store.write { try $0.set(request == .pause ? "1" : nil, for: Daemon.pauseSetting) }
          board.setPaused(request == .pause)
        case .reload: mailbox.post(.reload)
        }
        return "{}"
      } catch {
        return StatusBoard.failure("\(error)")
      }
    }
    keeper = try AlarmKeeper(
      store: store, policy: configuration.policy, resolver: resolver, devices: devices,
      grace: configuration.grace, channels: { configuration.channels(for: $0) },
      now: .wallClock())
  }

  /// Set where deliveries are held back, also over a restart.
  private static let pauseSetting = "paused"

  /// Runs until SIGTERM or SIGINT, then delivers what is at hand.
  public func run() throws {
    try loop.watch(timer.descriptor) { [timer] _ in timer.acknowledge() }
    try loop.watch(signals.descriptor) { [unowned self] _ in for signal in signals.drain() { take(signal) } }
    try loop.watch(watch.descriptor) { [watch] _ in _ = watch.drain() }
    try loop.watch(mailbox.descriptor) { _ in }
    for channel in channels { channel.start() }
    for feed in feeds { feed.start() }
    control.start()
    log(.info, "watching \(store.path): \(feeds.count) feeds, \(channels.count) channels")
    work()
    try loop.run { work() }
    finish()
  }

  private func take(_ signal: Int32) {
    if signal == SIGHUP { reload() } else { loop.stop() }
  }

  private func reload() {
    log(.notice, "reading the store anew")
    attempt { try keeper.reload(at: .wallClock()) }
  }

  /// Does what is to be done now, and sets the timer to when something is to be done next.
  ///
  /// Called after each batch of events, whichever they were: to look whether there is something to do costs
  /// microseconds, and it can't be forgotten this way.
  private func work() {
    let now = Instant.wallClock()
    if let notBefore, now < notBefore { return setTimer(notBefore) }
    var arrivals: [Arrival] = []
    for message in mailbox.drain() {
      switch message {
      case .arrival(let arrival): arrivals.append(arrival)
      case .reload: reload()
      }
    }
    let isKept = attempt {
      let changes = keeper.changes
      let firings = try keeper.take(arrivals.flatMap(\.fixes), at: now)
      // What somebody changed may be an answer to an alarm that a channel shows.
      if !firings.isEmpty || keeper.changes != changes { for channel in channels { channel.wake() } }
      setTimer(try keeper.nextDue())
    }
    for arrival in arrivals { arrival.completion?(isKept) }
  }

  private func setTimer(_ moment: Instant?) {
    do { try timer.set(moment) } catch { log(.error, "\(error)") }
  }

  /// Does something with the store. Where that fails, nothing is lost, and it is tried again after a while.
  @discardableResult
  private func attempt(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      if storeFailures > 0 { log(.notice, "the store can be written to again") }
      if storeFailures > 0 { board.setStoreFailure(nil) }
      storeFailures = 0
      notBefore = nil
      return true
    } catch {
      storeFailures += 1
      if storeFailures == 1 {
        log(.error, "\(error)")
        board.setStoreFailure("\(error)")
      }
      let next = Instant.wallClock().adding(seconds: backoff.seconds(afterFailures: storeFailures))
      notBefore = next
      setTimer(next)
      return false
    }
  }

  /// Takes what the feeds had handed over, delivers, and notes that all was seen until now.
  private func finish() {
    work()
    control.stop()
    let deadline = Date(timeIntervalSinceNow: 5)
    for channel in channels { channel.stop(until: deadline) }
    attempt { try keeper.finish(at: .wallClock()) }
    log(.info, "ended")
  }
}
