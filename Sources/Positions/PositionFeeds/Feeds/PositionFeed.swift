import FencepostAlgorithms
public import FencepostSpatiotemporal

/// A source of fixes: a file, a pipe, several merged traces, a receiver.
///
/// The caller pulls fixes. A feed reads no further than requested, and holds only what one read returned. Use
/// it from one thread at a time.
public protocol PositionFeed: AnyObject {
  /// Replaces the content of `fixes` with the next ones: at least one and at most `limit` (1 or more), in
  /// order of arrival. Waits for fixes from a pipe.
  ///
  /// - Returns: false, with `fixes` empty, if the feed has ended.
  /// - Throws: the error that makes the rest of the feed unreadable. A broken record does not throw: the feed
  ///   skips it and counts it in ``reports``.
  func read(into fixes: inout [Fix], limit: Int) throws(FeedError) -> Bool

  /// The reports so far, one per trace.
  var reports: [TraceReport] { get }
}

/// Merges several feeds by time.
///
/// The order of arrival within a feed stays, whatever its times are. Between feeds, the feed with the
/// earliest next fix goes first; at equal times, the feed that comes first in the list. A fix older than its
/// predecessor in the feed counts as of the predecessor's time. A fix later than its successor counts as of
/// the successor's time, so that one wrong time delays nothing. The successor is known only within what one
/// read returned.
public final class MergedFeed: PositionFeed {
  /// A feed, and its fixes that were read and not yet returned.
  private struct Lane {
    let feed: any PositionFeed
    var fixes: [Fix] = []
    var next = 0
    /// The moment of the next fix, made monotone.
    var key = Instant.distantPast

    /// Reads more fixes. Returns false if the feed has ended.
    mutating func refill() throws(FeedError) -> Bool {
      next = 0
      guard try feed.read(into: &fixes, limit: 512) else { return false }
      advanceKey()
      return true
    }

    /// Returns the next fix and removes it.
    mutating func removeFirst() -> Fix {
      let fix = fixes[next]
      next += 1
      if next < fixes.count { advanceKey() }
      return fix
    }

    /// Updates the key for the next fix.
    private mutating func advanceKey() {
      var time = fixes[next].time
      // If the fix after it continues from the one before, the time of this one is wrong.
      if next + 1 < fixes.count, fixes[next + 1].time >= key { time = min(time, fixes[next + 1].time) }
      key = max(key, time)
    }
  }

  /// The lane of a next fix and its time: ordered by time, then by lane.
  private struct Turn: Comparable {
    var key: Instant
    let lane: Int

    static func < (a: Turn, b: Turn) -> Bool { (a.key, a.lane) < (b.key, b.lane) }
  }

  private var lanes: [Lane]
  private var turns = Heap<Turn>()
  /// The lanes that have not been read yet.
  private var unstarted: [Int]

  /// Merges `feeds`.
  public init(_ feeds: [any PositionFeed]) {
    lanes = feeds.map { Lane(feed: $0) }
    unstarted = lanes.indices.reversed()
  }

  /// The reports of all feeds, in their order.
  public var reports: [TraceReport] { lanes.flatMap(\.feed.reports) }

  /// See ``PositionFeed/read(into:limit:)``. After a feed throws, later reads skip it.
  public func read(into fixes: inout [Fix], limit: Int = 4096) throws(FeedError) -> Bool {
    fixes.removeAll(keepingCapacity: true)
    while fixes.count < max(limit, 1), try refillFirst(unless: !fixes.isEmpty), let first = turns.first {
      fixes.append(lanes[first.lane].removeFirst())
      turns.updateFirst { $0.key = lanes[first.lane].key }
    }
    return !fixes.isEmpty
  }

  /// Ensures that the first lane has a next fix. Reading may block: if the caller `hasFixes` already, this
  /// leaves reading to the next call and returns false.
  private func refillFirst(unless hasFixes: Bool) throws(FeedError) -> Bool {
    while let index = unstarted.popLast() {
      if try lanes[index].refill() { turns.insert(Turn(key: lanes[index].key, lane: index)) }
    }
    while let first = turns.first?.lane, lanes[first].next == lanes[first].fixes.count {
      if hasFixes { return false }
      let isOpen: Bool
      do {
        isOpen = try lanes[first].refill()
      } catch {
        turns.popFirst()
        throw error
      }
      if isOpen { turns.updateFirst { $0.key = lanes[first].key } } else { turns.popFirst() }
    }
    return true
  }
}

/// Makes the names of devices unique with a number: `walk`, `walk-2`, `walk-3`.
public struct DeviceNames {
  private var taken: Set<String> = []
  /// The last number that was tried for each name, so that many devices with one name stay cheap.
  private var numbers: [String: Int] = [:]

  /// Starts without names.
  public init() {}

  /// Takes `name`, or `name-2` and so on if it is taken, and returns it.
  public mutating func unique(_ name: String) -> String {
    var unique = name
    var number = numbers[name] ?? 1
    while !taken.insert(unique).inserted {
      number += 1
      unique = "\(name)-\(number)"
    }
    numbers[name] = number
    return unique
  }
}
