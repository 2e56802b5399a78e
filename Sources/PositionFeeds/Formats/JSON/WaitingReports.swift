internal import CalendarModel

/// Reports that wait until all that come before them in time have been read: a binary min-heap, bounded.
final class WaitingReports {
  private let maximum: Int
  private var heap: [(time: Instant, order: Int, report: JSONReport)] = []
  /// How many were taken in, by which those of one moment keep their order.
  private var count = 0

  /// Nothing waits yet; `maximum` may at once.
  init(maximum: Int) { self.maximum = maximum }

  /// Takes in `report`, which is for `time`. Where too many wait, the earliest goes to `write`. Cost: logarithmic.
  func add(_ report: JSONReport, at time: Instant, _ write: (JSONReport) -> Void) {
    heap.append((time, count, report))
    count += 1
    var child = heap.count - 1
    while child > 0, precedes(child, (child - 1) / 2) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
    if heap.count > maximum { removeFirst().map(write) }
  }

  /// Hands those up to `time` to `write`, the earliest first.
  func release(through time: Instant, _ write: (JSONReport) -> Void) {
    while let first = heap.first, first.time <= time { removeFirst().map(write) }
  }

  private func removeFirst() -> JSONReport? {
    guard !heap.isEmpty else { return nil }
    heap.swapAt(0, heap.count - 1)
    let first = heap.removeLast().report
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, least) {
        least = child
      }
      if least == parent { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  private func precedes(_ a: Int, _ b: Int) -> Bool {
    (heap[a].time, heap[a].order) < (heap[b].time, heap[b].order)
  }
}
