import CalendarModel
import Glibc
import PositionFeeds

/// A feed that is open. It belongs to one thread.
protocol LiveFeed: AnyObject {
  /// Hands in what comes, until the feed ends.
  ///
  /// - Throws: What ended it before its time.
  func run(_ desk: FeedDesk) throws
}

/// A feed of bytes: a file, a pipe, a receiver.
final class StreamFeed: LiveFeed {
  private let reader: any PositionFeed
  private let interrupter: Int32

  /// A feed of what `reader` reads. It ends early once `interrupter` can be read.
  init(_ reader: any PositionFeed, interruptedBy interrupter: Int32) {
    self.reader = reader
    self.interrupter = interrupter
  }

  private var isInterrupted: Bool {
    var waiting = pollfd(fd: interrupter, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) > 0
  }

  func run(_ desk: FeedDesk) throws {
    let before = desk.board.status.rejected
    func countRejected() {
      let rejected = reader.reports.reduce(0) { $0 + $1.rejected }
      desk.board.update { $0.rejected = before + rejected }
    }
    defer { countRejected() }
    var fixes: [Fix] = []
    while try reader.read(into: &fixes, limit: 1_024), !isInterrupted {
      desk.post(fixes)
      countRejected()
    }
  }
}
