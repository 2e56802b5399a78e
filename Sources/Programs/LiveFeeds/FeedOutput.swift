package import FencepostCalendarModel
package import FencepostSystem
import FoundationEssentials
import Synchronization

/// Received positions, with a callback for when they are stored.
package struct Arrival: Sendable {
  /// Positions of a file or a receiver, with numbers of the registry that all feeds share.
  package var fixes: [Fix] = []
  /// Positions that came over a network.
  package var received: [NetworkFixes] = []
  /// The feed's output.
  package var output: FeedOutput
  /// Called with whether they are stored; `nil` if not needed.
  package var completion: (@Sendable (Bool) -> Void)?

  /// The maximum seconds that a position may be dated ahead of this machine's clock. A position far ahead
  /// would block its device until then, because all true positions would be older.
  package static let maximumSecondsAhead = 300.0

  /// Removes positions that are dated too far ahead.
  ///
  /// - Returns: The number of removed positions.
  package mutating func removeDatedAhead(at now: Instant) -> Int {
    let limit = now.adding(seconds: Self.maximumSecondsAhead)
    let count = count
    fixes.removeAll { $0.time > limit }
    received = received.map { NetworkFixes($0, datedUntil: limit) }
    return count - self.count
  }

  /// Dates positions of a receiver whose count of GPS weeks has rolled over: they are 1024 weeks, or twice
  /// that, before now, to a day. Only a live feed can tell; a log stays as it is.
  package mutating func correctRolledOverWeeks(at now: Instant) {
    for index in fixes.indices {
      let behind = now.seconds(since: fixes[index].time)
      guard behind > Self.rollover - 86_400 else { continue }
      let periods = (behind / Self.rollover).rounded()
      if periods <= 2, abs(behind - periods * Self.rollover) < 86_400 {
        fixes[index].time = fixes[index].time.adding(seconds: periods * Self.rollover)
      }
    }
  }

  /// The seconds in 1024 weeks.
  private static let rollover = 1_024.0 * 7 * 86_400

  private var count: Int { received.reduce(fixes.count) { $0 + $1.fixes.count } }
}

/// What a feed writes to: it delivers positions and reports its state.
package struct FeedOutput: Sendable {
  /// The registry that all feeds share.
  package let devices: DeviceRegistry
  package let status: SharedFeedStatus
  private let destination: Log
  /// Sends fences to phones; `nil` if no feed does.
  package let waypoints: PhoneWaypoints?
  /// The seconds for storing positions that a sender waits for.
  package var timeout = 10.0
  private let mailbox: BoundedQueue<Arrival>
  /// The feed's address without secrets, for the log.
  private let name: String

  package init(
    _ name: String, status: SharedFeedStatus, devices: DeviceRegistry, mailbox: BoundedQueue<Arrival>,
    log: Log,
    waypoints: PhoneWaypoints? = nil
  ) {
    self.status = status
    self.devices = devices
    self.mailbox = mailbox
    destination = log
    self.waypoints = waypoints
    self.name = name
  }

  /// Logs a line about the feed.
  package func log(_ level: Log.Level, _ text: @autoclosure () -> String) {
    destination(level, "\(name): \(text())")
  }

  /// Reports that the feed is connected to a receiver or a broker, or listens on a port. Positions may come
  /// later.
  package func opened() { logRecovery(from: status.open()) }

  private func logRecovery(from failure: String?) {
    if failure != nil { log(.notice, "is connected again") }
  }

  /// Counts positions that were ignored because too many new devices came at once. It logs this once.
  package func countSurplus(_ count: Int) {
    // They also count as received, like all positions.
    if count > 0, status.markFull() {
      log(.warning, "ignored positions: too many new devices at once")
    }
  }

  /// Counts positions that were ignored because they are dated ahead of this machine's clock. It logs this
  /// once.
  package func countDatedAhead(_ count: Int) {
    if count > 0, status.countDatedAhead(count) {
      log(
        .warning,
        "ignored positions dated more than \(Int(Arrival.maximumSecondsAhead / 60)) minutes ahead of this machine's clock"
      )
    }
  }

  /// Delivers positions of a feed whose sender expects no answer. It blocks while the mailbox is full.
  package func post(_ fixes: [Fix]) {
    guard !fixes.isEmpty else { return }
    mailbox.post(Arrival(fixes: fixes, output: self))
    logRecovery(from: status.count(fixes.count))
  }

  /// Delivers positions and waits until they and their firings are stored, so that a crash can't lose them.
  ///
  /// - Returns: The result. If they were not stored within ``timeout``, the sender should retry. A repetition
  ///   of stored positions changes nothing.
  package func store(_ received: [NetworkFixes]) -> StoreResult {
    let count = received.reduce(0) { $0 + $1.fixes.count }
    guard count > 0 else { return .stored }
    let isStored = Promise<Bool>()
    let arrival = Arrival(received: received, output: self, completion: { isStored.fulfill($0) })
    guard mailbox.offer(arrival), let answer = isStored.wait(seconds: timeout) else { return .busy }
    guard answer else { return .failed }
    logRecovery(from: status.count(count))
    return .stored
  }

  /// The result of a delivery.
  package enum StoreResult {
    case stored
    /// The daemon is overloaded.
    case busy
    /// The store can't be used.
    case failed
  }
}
