import FencepostCalendarModel
import FencepostSystem
import Synchronization

/// The state of a feed.
struct FeedStatus: Sendable {
  enum State: String, Sendable { case connecting, open, failed, ended }

  var address: String
  var state = State.connecting
  /// The number of positions.
  var fixes = 0
  /// The time of the last position.
  var lastArrival: Instant?
  /// Unreadable records.
  var rejected = 0
  /// Positions dated ahead of this machine's clock.
  var datedAhead = 0
  /// The last error, and the time of the next attempt.
  var failure: String?
  var nextAttempt: Instant?
  /// Whether there were too many devices.
  var isFull = false
}

/// The status of a feed.
final class FeedBoard: Sendable {
  private let board: Mutex<FeedStatus>

  init(_ name: String) { board = Mutex(FeedStatus(address: name)) }

  /// The current status.
  var status: FeedStatus { board.withLock { $0 } }

  func update(_ change: (inout FeedStatus) -> Void) { board.withLock { change(&$0) } }

  /// Notes that the feed is open, though positions may never come. The previous error stays until they do.
  func begin() {
    update {
      $0.state = .open
      $0.nextAttempt = nil
    }
  }

  /// Notes that the feed is connected to a receiver or a broker, or listens on a port. Positions may come
  /// later.
  ///
  /// - Returns: Its previous error.
  func open() -> String? { count(0) }

  /// Notes new positions.
  ///
  /// - Returns: Its previous error.
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
  /// - Returns: Whether this is new.
  func noteFullness() -> Bool {
    board.withLock { status in
      defer { status.isFull = true }
      return !status.isFull
    }
  }

  /// Notes positions that are dated ahead.
  ///
  /// - Returns: Whether they are the first.
  func noteDatedAhead(_ count: Int) -> Bool {
    board.withLock { status in
      defer { status.datedAhead += count }
      return status.datedAhead == 0
    }
  }

  /// Notes unreadable records.
  func reject(_ records: Int) { update { $0.rejected += records } }
}
