import AlarmEngine
public import CalendarModel
public import CalendarStore
public import Recurrence

/// Delivers over one channel what the ledger has for it, and keeps what came of it. Told what time it is, so that
/// a test plays a week of failures in a moment.
///
/// A delivery is marked after the channel took it: a crash in between repeats it, with the same identifier. What
/// fails stays in the store and is tried again, later each time; as long as the channel fails, one delivery is
/// tried at a time, each time another one, and the channel rests for longer the more of them it failed. So neither is a
/// dead channel flooded, nor do deliveries that fail on their own hold up the others, however often they do.
public struct DeliveryLoop {
  /// The channel's name in the ledger.
  public let name: String
  private let store: CalendarStore
  private var channel: any Channel
  private var lines: FiringLines
  private let backoff: Backoff
  private let clock: () -> Instant
  private let log: (String) -> Void
  /// The deliveries that failed since one succeeded, each once; more than are counted make no difference to `backoff`.
  private var failing: Set<Int64> = []
  /// How long the channel is left alone after a failure.
  private var rest: Wait?
  /// Seconds that no delivery waits for longer, as far as is known.
  private var longestWait: Double
  /// What came of deliveries and is not in the store yet, because that could not be written to.
  private var unkept: [Outcome] = []

  /// What the channel said last, where it failed.
  public private(set) var lastError: String?

  /// A delivery loop for the channel that the ledger calls `name`.
  ///
  /// - Parameters:
  ///   - name: The channel's name in the ledger.
  ///   - channel: The channel.
  ///   - store: Where the ledger is.
  ///   - resolver: The zone in which times are written.
  ///   - backoff: How long to wait after a failure.
  ///   - clock: What time it is.
  ///   - log: Told of each delivery that is given up.
  public init(
    name: String, channel: any Channel, store: CalendarStore, resolver: TimeResolver,
    backoff: Backoff = Backoff(), clock: @escaping () -> Instant, log: @escaping (String) -> Void = { _ in }
  ) {
    self.name = name
    self.channel = channel
    self.store = store
    self.backoff = backoff
    longestWait = backoff.most
    self.clock = clock
    self.log = log
    lines = FiringLines(resolver: resolver)
  }

  /// Goes on over another channel of the same name, with times in the zone of `resolver`, without waiting for what
  /// kept the one before.
  mutating func replace(_ channel: any Channel, resolver: TimeResolver) {
    channel.takeOver(from: self.channel)
    self.channel = channel
    lines = FiringLines(resolver: resolver)
    failing = []
    rest = nil
    lastError = nil
  }

  /// Delivers what may be tried now.
  ///
  /// - Parameter isWanted: Asked before each delivery; the first that is not wanted, and what follows, stays for later.
  /// - Returns: When to try again; `nil` where nothing is left.
  /// - Throws: Where the store can't be read or written to.
  public mutating func run(while isWanted: () -> Bool = { true }) throws -> Instant? {
    // Before anything else: what was told already must not be told again.
    try keep([])
    if let rest, !rest.isOver(at: clock()) { return try nextAttempt() }
    rest = nil
    try channel.review(store)
    while true {
      let pending = try due(limit: failing.isEmpty ? DeliveryLoop.batch : 1)
      if pending.isEmpty { return try nextAttempt() }
      switch try deliver(pending, while: isWanted) {
      case .done: continue
      case .failed: return try nextAttempt()
      case .unwanted: return clock()
      }
    }
  }

  /// How many deliveries are read at once.
  private static let batch = 256
  /// After so many seconds what came of them is kept, at the latest.
  private static let longestUnkept = 0.1
  /// More failures make no wait longer.
  private static let mostCounted = 40
  /// Seconds for which a channel may ask to be left alone.
  private static let longestRest = 86_400.0

  private enum Outcome {
    case delivered(Int64)
    case failed(Int64, DeliveryFailure, next: Instant?)
  }

  /// How a round of deliveries ended: with all of them tried, with the channel's failure, or with nobody who wants more.
  private enum Round {
    case done, failed, unwanted
  }

  /// Delivers some, and keeps what came of it.
  private mutating func deliver(_ pending: [Delivery], while isWanted: () -> Bool) throws -> Round {
    var outcomes: [Outcome] = []
    var began = clock()
    for delivery in pending {
      guard isWanted() else {
        try keep(outcomes)
        return .unwanted
      }
      do throws(DeliveryFailure) {
        try channel.deliver(delivery, line: lines.line(delivery.entry))
        outcomes.append(.delivered(delivery.number))
        failing = []
        lastError = nil
      } catch {
        if error.isFinal {
          // That concerns the firing. The channel works.
          failing = []
          lastError = nil
          // Without the firing's key, which holds the device.
          let firing = delivery.entry.firing
          log("gives up the alarm '\(firing.kind.rawValue)' of item \(firing.item.rawValue): \(error)")
          outcomes.append(.failed(delivery.number, error, next: nil))
          continue
        }
        lastError = error.description
        if failing.count < DeliveryLoop.mostCounted { failing.insert(delivery.number) }
        let seconds = backoff.seconds(afterFailures: max(failing.count, delivery.attempts + 1))
        let least = min(error.retryAfter ?? 0, DeliveryLoop.longestRest)
        longestWait = max(longestWait, least)
        rest = Wait(seconds: max(backoff.seconds(afterFailures: failing.count), least), from: clock())
        outcomes.append(.failed(delivery.number, error, next: clock().adding(seconds: max(seconds, least))))
        try keep(outcomes)
        return .failed
      }
      if clock().seconds(since: began) > DeliveryLoop.longestUnkept {
        try keep(outcomes)
        outcomes.removeAll()
        began = clock()
      }
    }
    try keep(outcomes)
    return .done
  }

  private mutating func keep(_ outcomes: [Outcome]) throws {
    unkept += outcomes
    guard !unkept.isEmpty else { return }
    let now = clock()
    try store.write { [unkept] writer in
      for outcome in unkept {
        switch outcome {
        case .delivered(let number): try writer.markDelivered(number, at: now)
        case .failed(let number, let failure, let next):
          try writer.markFailed(number, because: failure.description, nextAttempt: next)
        }
      }
    }
    unkept.removeAll()
  }

  /// What may be tried now, at most so many.
  private func due(limit: Int) throws -> [Delivery] {
    let now = clock()
    return try store.read { reader in
      let due = try reader.pendingDeliveries(at: now, channel: name, limit: limit)
      guard due.isEmpty else { return due }
      // What nobody can have put off so far is from before the clock was set back.
      let beyond = now.adding(seconds: longestWait + 1)
      let waiting = try reader.pendingDeliveries(channel: name, limit: DeliveryLoop.batch)
      return Array(waiting.filter { $0.attempts == 0 || $0.nextAttempt > beyond }.prefix(limit))
    }
  }

  /// When the first of what is left may be tried; `nil` where nothing is left.
  private func nextAttempt() throws -> Instant? {
    try store.read { try $0.pendingDeliveries(channel: name, limit: 1) }.first.map {
      max($0.nextAttempt, rest?.end ?? .distantPast)
    }
  }
}
