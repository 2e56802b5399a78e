import CalendarModel
import FoundationEssentials
import Synchronization
import System

/// Received positions, with a callback for when they are stored.
struct Arrival: Sendable {
  /// Those of a file or a receiver, under the numbers of the registry that all feeds share.
  var fixes: [Fix] = []
  /// Those that came over a network.
  var received: [NetworkFixes] = []
  /// The feed's desk.
  var desk: FeedDesk
  /// Called with whether they are stored; `nil` if not needed.
  var completion: (@Sendable (Bool) -> Void)?

  /// The greatest number of seconds that a position may be dated ahead of this machine's clock. One that is far ahead would
  /// make its device deaf until then, as all true positions would be older.
  static let mostAhead = 300.0

  /// Removes positions that are dated too far ahead.
  ///
  /// - Returns: How many.
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
  /// What gives phones the fences near them; `nil` where nobody does.
  let waypoints: PhoneWaypoints?
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

  /// Says that the feed is open: there is a receiver, a broker or a port, whether positions come or not.
  func opened() { noteRecovery(from: board.open()) }

  private func noteRecovery(from failure: String?) {
    if failure != nil { note(.notice, "is connected again") }
  }

  /// Notes that positions were passed over, since too many new devices came at once; says so once.
  func noteSurplus(_ count: Int) {
    // They are counted as what came, as any position is.
    if count > 0, board.noteFullness() {
      note(.warning, "ignored positions: too many new devices at once")
    }
  }

  /// Notes that positions were ignored, since they are dated ahead of this machine's clock; says so once.
  func noteDatedAhead(_ count: Int) {
    if count > 0, board.noteDatedAhead(count) {
      note(
        .warning,
        "ignored positions dated more than \(Int(Arrival.mostAhead / 60)) minutes ahead of this machine's clock"
      )
    }
  }

  /// Hands positions in, for a feed that nobody waits for; waits itself while there is too much to do.
  func post(_ fixes: [Fix]) {
    guard !fixes.isEmpty else { return }
    mailbox.post(Arrival(fixes: fixes, desk: self))
    noteRecovery(from: board.count(fixes.count))
  }

  /// Hands positions in and waits until they are kept: what they led to is in the store, and a crash won't lose it.
  ///
  /// - Returns: What became of them. Where they were not kept within `timeout` seconds, their sender is to send them again;
  ///   if they were kept all the same, they change nothing.
  func keep(_ received: [NetworkFixes], timeout: Double = 10) -> Keeping {
    let count = received.reduce(0) { $0 + $1.fixes.count }
    guard count > 0 else { return .kept }
    let isKept = Promise<Bool>()
    let arrival = Arrival(received: received, desk: self, completion: { isKept.fulfill($0) })
    guard mailbox.offer(arrival), let answer = isKept.wait(seconds: timeout) else { return .busy }
    guard answer else { return .failed }
    noteRecovery(from: board.count(count))
    return .kept
  }

  /// What became of positions that were handed in.
  enum Keeping {
    case kept
    /// There is too much to do.
    case busy
    /// The store can't be used.
    case failed
  }
}
