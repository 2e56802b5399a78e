public import FencepostSpatiotemporal

/// A source of fixes: a file, a pipe, several merged traces, a receiver.
///
/// The caller pulls fixes. A feed reads no further than requested, and holds only what one read returned. Use it from
/// one thread at a time.
public protocol PositionFeed: AnyObject {
  /// Replaces the content of `fixes` with the next ones: at least one and at most `limit` (1 or more), in order of
  /// arrival. Waits for fixes from a pipe.
  ///
  /// - Returns: false, with `fixes` empty, if the feed has ended.
  /// - Throws: the error that makes the rest of the feed unreadable. A broken record does not throw: the feed skips it
  ///   and counts it in ``reports``.
  func read(into fixes: inout [Fix], limit: Int) throws(FeedError) -> Bool

  /// The reports so far, one per trace.
  var reports: [TraceReport] { get }
}
