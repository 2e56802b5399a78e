package import FencepostCalendarModel
import FencepostSystem
import Synchronization

/// The state of a feed.
package struct FeedStatus: Sendable {
  package enum State: String, Sendable { case connecting, open, failed, ended }

  package var address: String
  package var state = State.connecting
  /// The number of positions.
  package var fixes = 0
  /// The time of the last position.
  package var lastArrival: Instant?
  /// Unreadable records.
  package var rejected = 0
  /// Positions dated ahead of this machine's clock.
  package var datedAhead = 0
  /// The last error, and the time of the next attempt.
  package var failure: String?
  package var nextAttempt: Instant?
  /// Whether there were too many devices.
  package var isFull = false
}

/// The status of a feed, shared between its thread and those that show it.
package final class SharedFeedStatus: Sendable {
  private let record: Mutex<FeedStatus>

  package init(_ name: String) { record = Mutex(FeedStatus(address: name)) }

  /// The current status.
  package var current: FeedStatus { record.withLock { $0 } }

  package func update(_ change: (inout FeedStatus) -> Void) { record.withLock { change(&$0) } }

  /// Notes that the feed is open, though positions may never come. The previous error stays until they do.
  package func begin() {
    update {
      $0.state = .open
      $0.nextAttempt = nil
    }
  }

  /// Notes that the feed is connected to a receiver or a broker, or listens on a port. Positions may come
  /// later.
  ///
  /// - Returns: Its previous error.
  package func open() -> String? { count(0) }

  /// Notes new positions.
  ///
  /// - Returns: Its previous error.
  @discardableResult
  package func count(_ fixes: Int) -> String? {
    record.withLock { status in
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
  package func markFull() -> Bool {
    record.withLock { status in
      defer { status.isFull = true }
      return !status.isFull
    }
  }

  /// Notes positions that are dated ahead.
  ///
  /// - Returns: Whether they are the first.
  package func countDatedAhead(_ count: Int) -> Bool {
    record.withLock { status in
      defer { status.datedAhead += count }
      return status.datedAhead == 0
    }
  }

  /// Notes unreadable records.
  package func reject(_ records: Int) { update { $0.rejected += records } }
}
