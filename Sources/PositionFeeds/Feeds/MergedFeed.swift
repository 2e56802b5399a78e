import Algorithms
public import Spatiotemporal

/// Several feeds as one, in the order of time.
///
/// Within a feed the order of arrival stays, whatever its times say. Between feeds, the one whose next fix
/// is earliest goes first. A fix that is dated before one that its feed gave already counts as of that
/// moment, and one that is ahead of the feed's next counts as of the next, so that one wrong time holds nothing
/// up; what comes next is known within what one read brought. At the same moment the feed that was named first
/// goes first.
public final class MergedFeed: PositionFeed {
  /// One feed, and the fixes of it that were read and not yet handed out.
  private struct Lane {
    let feed: any PositionFeed
    var fixes: [Fix] = []
    var next = 0
    /// The moment of the next fix, made monotone.
    var key = Instant.distantPast

    /// Reads on. False where the feed has ended.
    mutating func refill() throws(FeedError) -> Bool {
      next = 0
      guard try feed.read(into: &fixes, limit: 512) else { return false }
      advanceKey()
      return true
    }

    /// Hands out the next fix.
    mutating func take() -> Fix {
      let fix = fixes[next]
      next += 1
      if next < fixes.count { advanceKey() }
      return fix
    }

    /// Lets the key come to the next fix.
    private mutating func advanceKey() {
      var time = fixes[next].time
      // Where the one after it goes on from the one before, it is this one whose time is wrong.
      if next + 1 < fixes.count, fixes[next + 1].time >= key { time = min(time, fixes[next + 1].time) }
      key = max(key, time)
    }
  }

  /// A lane that has a next fix, and when: ordered by time, then by place.
  private struct Turn: Comparable {
    var key: Instant
    let lane: Int

    static func < (a: Turn, b: Turn) -> Bool { (a.key, a.lane) < (b.key, b.lane) }
  }

  private var lanes: [Lane]
  private var turns = Heap<Turn>()
  /// The lanes that were not read yet.
  private var unstarted: [Int]

  /// Merges `feeds`.
  public init(_ feeds: [any PositionFeed]) {
    lanes = feeds.map { Lane(feed: $0) }
    unstarted = lanes.indices.reversed()
  }

  /// The reports of all feeds, in their order.
  public var reports: [TraceReport] { lanes.flatMap(\.feed.reports) }

  /// See ``PositionFeed/read(into:limit:)``. A feed that throws is left out of what is read after that.
  public func read(into fixes: inout [Fix], limit: Int = 4096) throws(FeedError) -> Bool {
    fixes.removeAll(keepingCapacity: true)
    while fixes.count < max(limit, 1), try refillFirst(unless: !fixes.isEmpty), let first = turns.first {
      fixes.append(lanes[first.lane].take())
      turns.updateFirst { $0.key = lanes[first.lane].key }
    }
    return !fixes.isEmpty
  }

  /// Makes sure that the first lane has a next fix. Reading may mean waiting: while `hasFixes` to hand out already, it
  /// is left to the next call, and the result is false.
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
