import CalendarModel
import CalendarStore
import FoundationEssentials
import Recurrence
import System

/// What a daemon is to do may change while it runs: what stays the same goes on undisturbed, and no position and no
/// delivery is lost by it.
extension Daemon {
  /// A keeper that does what `configuration` says.
  static func keeper(
    _ configuration: DaemonConfiguration, store: CalendarStore, resolver: TimeResolver,
    devices: DeviceRegistry, log: Log
  ) throws -> AlarmKeeper {
    let keeper = try AlarmKeeper(
      store: store, policy: configuration.policy, resolver: resolver, devices: devices,
      grace: configuration.grace, latestAge: configuration.latestAge,
      defaults: configuration.alarms, keepsHistory: configuration.historyDays > 0,
      channels: { configuration.channels(for: $0) }, now: .wallClock())
    keeper.onDamagedState = { device, damage in
      log(.error, "\(damage); restarting '\(device)' from its last position")
    }
    return keeper
  }

  /// Does what `new` says from now on, or, where that can't be done, what was said before.
  func apply(_ new: DaemonConfiguration) throws {
    let resolver = try new.zones.resolver(floating: new.zone, store: store)
    try switchKeeper(to: new, resolver: resolver) {
      try replaceFeedsAndChannels(with: new, resolver: resolver, areRunning: true)
    }
    if new.socket != configuration.socket {
      log(.warning, "the daemon keeps listening at \(configuration.socket) until it restarts")
    }
    let socket = configuration.socket
    configuration = new
    configuration.socket = socket
    log.threshold = new.logLevel
    nextPrune = .distantPast
  }

  /// Goes on with another keeper, once `body` has succeeded.
  func switchKeeper(
    to configuration: DaemonConfiguration, resolver: TimeResolver, after body: () throws -> Void = {}
  ) throws {
    let next = try Daemon.keeper(configuration, store: store, resolver: resolver, devices: devices, log: log)
    try body()
    next.takeOver(from: keeper)
    keeper = next
    self.resolver = resolver
  }

  /// Makes feeds and channels those that `configuration` says.
  func replaceFeedsAndChannels(
    with configuration: DaemonConfiguration, resolver: TimeResolver, areRunning: Bool = false
  ) throws {
    // Whatever may fail comes first.
    let surroundings = ChannelSurroundings(store: store, resolver: resolver, log: log)
    let opened = try configuration.channels().map { ($0, try $0.open(surroundings)) }
    var runners: [FeedRunner] = []
    var newRunners: [FeedRunner] = []
    for address in configuration.feeds {
      let known = feeds.first { feed in feed.address == address && !runners.contains { $0 === feed } }
      let runner =
        try known
        ?? FeedRunner(
          address, identity: identity, devices: devices, mailbox: mailbox, log: log,
          waypoints: PhoneWaypoints(store: store))
      if known == nil { newRunners.append(runner) }
      runners.append(runner)
    }
    var workers: [ChannelWorker] = []
    var newWorkers: [ChannelWorker] = []
    for (address, channel) in opened {
      let name = address.description
      if let caution = address.caution { log(.warning, caution) }
      let known = (channels + retired).first { $0.name == name && $0.replace(channel, resolver: resolver) }
      let worker =
        known
        ?? ChannelWorker(
          DeliveryLoop(
            name: name, channel: channel, store: store, resolver: resolver, backoff: address.backoff,
            clock: Instant.wallClock, log: { [log] in log(.warning, "\(name): \($0)") }),
          log: log)
      if known == nil { newWorkers.append(worker) }
      workers.append(worker)
    }
    for worker in channels where !workers.contains(where: { $0 === worker }) {
      worker.retire()
      retired.append(worker)
    }
    retired.removeAll { worker in worker.hasGone || workers.contains { $0 === worker } }
    channels = workers
    try replaceServer(with: configuration, resolver: resolver)
    for feed in feeds where !runners.contains(where: { $0 === feed }) { feed.stop() }
    feeds = runners
    board.show(feeds.map(\.board) + (web.service.map { [$0.board] } ?? []), channels, retired: retired)
    guard areRunning else { return }
    for worker in newWorkers { try worker.start() }
    for runner in newRunners { try runner.start() }
  }

  /// Goes on in the zones that the system has now.
  func followZones() throws {
    let resolver = try configuration.zones.resolver(floating: configuration.zone, store: store)
    let (old, new) = (self.resolver, resolver)
    // A file that stands for no zone by name may hold any.
    if new.floating.id != old.floating.id || new.zones.version != old.zones.version
      || new.floating.id == TimeZoneDatabase.unnamedZone
    {
      try switchKeeper(to: configuration, resolver: resolver)
      try replaceFeedsAndChannels(with: configuration, resolver: resolver, areRunning: true)
      log(
        .notice,
        "time zone changed: \(new.floating.id.rawValue), tzdata \(new.zones.version ?? "version unknown")"
      )
    }
    zoneCheck = nil
  }

  /// Erases positions that were kept for long enough, and sets when to look again.
  func prune(at now: Instant) throws {
    let span = Double(configuration.historyDays) * 86_400
    if let oldest = try keeper.oldestPosition(), oldest < now.adding(seconds: -span) {
      try keeper.removeHistory(before: now.adding(seconds: -span))
    }
    guard configuration.historyDays > 0 else {
      nextPrune = .distantFuture
      return
    }
    // Not for each position on its own.
    let oldest = try keeper.oldestPosition() ?? now
    nextPrune = max(oldest.adding(seconds: span), now.adding(seconds: 3_600))
  }
}

/// Somebody waits for the settings to be read anew.
struct ReloadRequest: Sendable {
  private let failure = Promise<String?>()

  /// Says what came of it: why it failed, or `nil`.
  func answer(_ failure: String?) { self.failure.fulfill(failure) }

  /// Waits for the answer, as long as whoever asks does.
  func wait() -> String? {
    failure.wait(seconds: 8) ?? "the daemon is busy and will reload its settings when it is done"
  }
}
