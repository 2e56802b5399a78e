import CalendarModel
import Synchronization
import System

/// How a feed is doing.
struct FeedStatus: Sendable {
  enum State: String, Sendable { case connecting, open, failed, ended }

  var address: String
  var state = State.connecting
  /// Positions that came.
  var fixes = 0
  /// When the last of them came.
  var lastArrival: Instant?
  /// Records that were no positions.
  var rejected = 0
  /// What went wrong last, and when the next attempt is.
  var failure: String?
  var nextAttempt: Instant?
  /// Whether there were too many devices.
  var isFull = false
}

/// A feed's status, which the feed writes and whoever asks reads.
final class FeedBoard: Sendable {
  private let board: Mutex<FeedStatus>

  init(_ address: FeedAddress) { board = Mutex(FeedStatus(address: address.description)) }

  /// What it says now.
  var status: FeedStatus { board.withLock { $0 } }

  func update(_ change: (inout FeedStatus) -> Void) { board.withLock { change(&$0) } }

  /// Notes that the feed has begun, of which it is not known whether positions will come. What it failed with before
  /// stays until they do.
  func begin() {
    update {
      $0.state = .open
      $0.nextAttempt = nil
    }
  }

  /// Notes that the feed is open: there is a receiver, a broker or a port, whether positions come or not.
  ///
  /// - Returns: What it had failed with before.
  func open() -> String? { count(0) }

  /// Notes that positions came.
  ///
  /// - Returns: What it had failed with before.
  @discardableResult
  func count(_ fixes: Int) -> String? {
    board.withLock { status in
      status.state = .open
      if fixes > 0 {
        status.fixes += fixes
        status.lastArrival = .wallClock()
      }
      defer {
        status.failure = nil
        status.nextAttempt = nil
      }
      return status.failure
    }
  }

  /// Notes that there are too many devices.
  ///
  /// - Returns: Whether that is new.
  func noteFullness() -> Bool {
    board.withLock { status in
      defer { status.isFull = true }
      return !status.isFull
    }
  }

  /// Notes that records came that were no positions.
  func reject(_ records: Int) { update { $0.rejected += records } }
}
