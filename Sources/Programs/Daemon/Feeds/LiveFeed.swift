import FencepostCalendarModel
import FencepostPositionFeeds
import FencepostSystem

/// An open feed. It belongs to one thread.
protocol LiveFeed: AnyObject {
  /// Delivers positions until the feed ends.
  ///
  /// - Throws: The error that ended it.
  func run(_ desk: FeedDesk) throws
}

/// A feed of bytes: a file, a pipe, a receiver.
final class StreamFeed: LiveFeed {
  private let isConnected: Bool
  private let makeReader: () throws -> any PositionFeed
  private let interrupter: Int32

  /// A feed of a reader.
  ///
  /// - Parameters:
  ///   - isConnected: Whether the other end is already connected, though it may be silent for long.
  ///   - interrupter: A descriptor that becomes readable when the feed should end.
  ///   - reader: Creates the reader, which may have to wait for the first bytes.
  init(
    isConnected: Bool, interruptedBy interrupter: Int32, reader: @escaping () throws -> any PositionFeed
  ) {
    self.isConnected = isConnected
    self.interrupter = interrupter
    makeReader = reader
  }

  func run(_ desk: FeedDesk) throws {
    if isConnected { desk.board.begin() }
    let reader = try makeReader()
    desk.board.begin()
    let before = desk.board.status.rejected
    func countRejected() {
      let rejected = reader.reports.reduce(0) { $0 + $1.rejected }
      desk.board.update { $0.rejected = before + rejected }
    }
    defer { countRejected() }
    var fixes: [Fix] = []
    while try reader.read(into: &fixes, limit: 1_024), Readiness.now(interrupter).isEmpty {
      desk.post(fixes)
      countRejected()
    }
  }
}
