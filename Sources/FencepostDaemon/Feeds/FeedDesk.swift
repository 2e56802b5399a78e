import CalendarModel
import FoundationEssentials
import Synchronization

/// Positions that arrived, and whom to tell that they are kept.
struct Arrival: Sendable {
  var fixes: [Fix]
  /// Called with whether they are kept; `nil` where nobody waits for that.
  var completion: (@Sendable (Bool) -> Void)?
}

/// Where a feed hands in what came, and says how it is doing.
struct FeedDesk: Sendable {
  /// The registry that all feeds share.
  let devices: DeviceRegistry
  let board: FeedBoard
  let log: Log
  private let mailbox: Mailbox<Arrival>
  /// The feed's address without secrets, for the log.
  private let name: String

  init(
    _ address: FeedAddress, board: FeedBoard, devices: DeviceRegistry, mailbox: Mailbox<Arrival>, log: Log
  ) {
    self.board = board
    self.devices = devices
    self.mailbox = mailbox
    self.log = log
    name = address.description
  }

  /// Says something about the feed.
  func note(_ level: Log.Level, _ text: @autoclosure () -> String) { log(level, "\(name): \(text())") }

  /// Says that the feed is open: there is a receiver, a broker or a port, whether positions come or not.
  func opened() { noteRecovery(from: board.open()) }

  private func noteRecovery(from failure: String?) {
    if failure != nil { note(.notice, "is open again") }
  }

  /// The positions that may be handed in of those that came over a network, whose devices `names` numbered; what may not
  /// is counted as rejected, and it is said once where there are too many devices.
  func admit(_ received: [Fix], namedBy names: DeviceRegistry) -> AdmittedFixes {
    let admitted = AdmittedFixes(received, namedBy: names, in: devices)
    if admitted.misnamed + admitted.surplus > 0 { board.reject(admitted.misnamed + admitted.surplus) }
    if admitted.surplus > 0, board.noteFullness() {
      note(
        .warning,
        "positions of new devices are passed over: there are \(AdmittedFixes.mostDevices) already")
    }
    return admitted
  }

  /// Hands positions in, for a feed that nobody waits for; waits itself while there is too much to do.
  func post(_ fixes: [Fix]) {
    guard !fixes.isEmpty else { return }
    mailbox.post(Arrival(fixes: fixes))
    noteRecovery(from: board.count(fixes.count))
  }

  /// Hands positions in and waits until they are kept: what they led to is in the store, and a crash won't lose it.
  ///
  /// - Returns: False where that could not be done, or took longer than `patience` seconds. Their sender is to send
  ///   them again then; if they were kept all the same, they change nothing.
  func keep(_ fixes: [Fix], patience: Double = 10) -> Bool {
    guard !fixes.isEmpty else { return true }
    let isKept = Answer<Bool>()
    guard mailbox.offer(Arrival(fixes: fixes, completion: { isKept.set($0) })),
      isKept.wait(seconds: patience) == true
    else { return false }
    noteRecovery(from: board.count(fixes.count))
    return true
  }
}
