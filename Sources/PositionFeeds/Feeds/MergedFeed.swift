public import CalendarModel

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

  private var lanes: [Lane]
  /// The lanes that have a next fix: a binary min-heap by key, then by place.
  private var heap: [Int] = []
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
    while fixes.count < max(limit, 1), try refillFirst(unless: !fixes.isEmpty), let first = heap.first {
      fixes.append(lanes[first].take())
      siftDown()
    }
    return !fixes.isEmpty
  }

  /// Makes sure that the first lane has a next fix. Where that takes reading, which may mean waiting, and
  /// `hasFixes` to hand out already, it is left to the next call: then false.
  private func refillFirst(unless hasFixes: Bool) throws(FeedError) -> Bool {
    while let index = unstarted.popLast() {
      if try lanes[index].refill() { push(index) }
    }
    while let first = heap.first, lanes[first].next == lanes[first].fixes.count {
      if hasFixes { return false }
      let isOpen: Bool
      do {
        isOpen = try lanes[first].refill()
      } catch {
        popFirst()
        throw error
      }
      if isOpen { siftDown() } else { popFirst() }
    }
    return true
  }

  // MARK: The heap

  private func precedes(_ a: Int, _ b: Int) -> Bool {
    lanes[a].key != lanes[b].key ? lanes[a].key < lanes[b].key : a < b
  }

  private func push(_ lane: Int) {
    heap.append(lane)
    var child = heap.count - 1
    while child > 0, precedes(heap[child], heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private func popFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown()
  }

  /// Restores the order after the first lane's key has grown.
  private func siftDown() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if precedes(heap[child], heap[least]) { least = child }
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
