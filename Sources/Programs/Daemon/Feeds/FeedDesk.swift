import FencepostCalendarModel
import FencepostSystem
import FoundationEssentials
import Synchronization

/// Received positions, with a callback for when they are stored.
struct Arrival: Sendable {
  /// Positions of a file or a receiver, with numbers of the registry that all feeds share.
  var fixes: [Fix] = []
  /// Positions that came over a network.
  var received: [NetworkFixes] = []
  /// The feed's desk.
  var desk: FeedDesk
  /// Called with whether they are stored; `nil` if not needed.
  var completion: (@Sendable (Bool) -> Void)?

  /// The maximum seconds that a position may be dated ahead of this machine's clock. A position far ahead
  /// would block its device until then, because all true positions would be older.
  static let mostAhead = 300.0

  /// Removes positions that are dated too far ahead.
  ///
  /// - Returns: The number of removed positions.
  mutating func removeDatedAhead(at now: Instant) -> Int {
    let limit = now.adding(seconds: Self.mostAhead)
    let count = count
    fixes.removeAll { $0.time > limit }
    received = received.map { NetworkFixes($0, datedUntil: limit) }
    return count - self.count
  }

  private var count: Int { received.reduce(fixes.count) { $0 + $1.fixes.count } }
}

/// The interface of a feed to the daemon: it delivers positions and reports its state.
struct FeedDesk: Sendable {
  /// The registry that all feeds share.
  let devices: DeviceRegistry
  let board: FeedBoard
  let log: Log
  /// Sends fences to phones; `nil` if no feed does.
  let waypoints: PhoneWaypoints?
  /// The seconds for storing positions that a sender waits for.
  var timeout = 10.0
  private let mailbox: Mailbox<Arrival>
  /// The feed's address without secrets, for the log.
  private let name: String

  init(
    _ name: String, board: FeedBoard, devices: DeviceRegistry, mailbox: Mailbox<Arrival>, log: Log,
    waypoints: PhoneWaypoints? = nil
  ) {
    self.board = board
    self.devices = devices
    self.mailbox = mailbox
    self.log = log
    self.waypoints = waypoints
    self.name = name
  }

  /// Logs a line about the feed.
  func note(_ level: Log.Level, _ text: @autoclosure () -> String) { log(level, "\(name): \(text())") }

  /// Reports that the feed is connected to a receiver or a broker, or listens on a port. Positions may come
  /// later.
  func opened() { noteRecovery(from: board.open()) }

  private func noteRecovery(from failure: String?) {
    if failure != nil { note(.notice, "is connected again") }
  }

  /// Counts positions that were ignored because too many new devices came at once. It logs this once.
  func noteSurplus(_ count: Int) {
    // They also count as received, like all positions.
    if count > 0, board.noteFullness() {
      note(.warning, "ignored positions: too many new devices at once")
    }
  }

  /// Counts positions that were ignored because they are dated ahead of this machine's clock. It logs this
  /// once.
  func noteDatedAhead(_ count: Int) {
    if count > 0, board.noteDatedAhead(count) {
      note(
        .warning,
        "ignored positions dated more than \(Int(Arrival.mostAhead / 60)) minutes ahead of this machine's clock"
      )
    }
  }

  /// Delivers positions of a feed whose sender expects no answer. It blocks while the mailbox is full.
  func post(_ fixes: [Fix]) {
    guard !fixes.isEmpty else { return }
    mailbox.post(Arrival(fixes: fixes, desk: self))
    noteRecovery(from: board.count(fixes.count))
  }

  /// Delivers positions and waits until they and their firings are stored, so that a crash can't lose them.
  ///
  /// - Returns: The result. If they were not stored within ``timeout``, the sender should retry. A repetition of stored
  ///   positions changes nothing.
  func keep(_ received: [NetworkFixes]) -> Keeping {
    let count = received.reduce(0) { $0 + $1.fixes.count }
    guard count > 0 else { return .kept }
    let isKept = Promise<Bool>()
    let arrival = Arrival(received: received, desk: self, completion: { isKept.fulfill($0) })
    guard mailbox.offer(arrival), let answer = isKept.wait(seconds: timeout) else { return .busy }
    guard answer else { return .failed }
    noteRecovery(from: board.count(count))
    return .kept
  }

  /// The result of a delivery.
  enum Keeping {
    case kept
    /// The daemon is overloaded.
    case busy
    /// The store can't be used.
    case failed
  }
}
