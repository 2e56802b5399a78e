public import Spatiotemporal

/// Anything that yields fixes: a file, a pipe, several traces merged, a receiver.
///
/// A feed is pulled: it reads no further than it is asked to, and holds no more than what one read brought
/// in. It belongs to one task at a time.
public protocol PositionFeed: AnyObject {
  /// Replaces what is in `fixes` by the next ones, at least one and at most `limit` (1 or more), in the order
  /// in which they arrived; waits for them where they come from a pipe.
  ///
  /// - Returns: false, with `fixes` empty, where the feed has ended.
  /// - Throws: what makes the rest of the feed unreadable. A broken record is no such thing: it is skipped and
  ///   counted in ``reports``.
  func read(into fixes: inout [Fix], limit: Int) throws(FeedError) -> Bool

  /// What was read so far, one report for each trace.
  var reports: [TraceReport] { get }
}
