import Algorithms
internal import Spatiotemporal

/// Reports that wait until all that come before them in time have been read, up to a bound.
final class WaitingReports {
  private struct Waiting: Comparable {
    let time: Instant
    /// How many came before it. Reports of one moment keep their order.
    let order: Int
    let report: JSONReport

    static func < (a: Waiting, b: Waiting) -> Bool { (a.time, a.order) < (b.time, b.order) }
    static func == (a: Waiting, b: Waiting) -> Bool { (a.time, a.order) == (b.time, b.order) }
  }

  private let maximum: Int
  private var heap = Heap<Waiting>()
  private var count = 0

  /// Nothing waits yet; at most `maximum` reports wait at once.
  init(maximum: Int) { self.maximum = maximum }

  /// Takes in `report`, which is for `time`. If too many wait, the earliest goes to `write`. Cost: logarithmic.
  func add(_ report: JSONReport, at time: Instant, _ write: (JSONReport) -> Void) {
    heap.insert(Waiting(time: time, order: count, report: report))
    count += 1
    if heap.count > maximum, let first = heap.popFirst() { write(first.report) }
  }

  /// Hands the reports up to `time` to `write`, the earliest first.
  func release(through time: Instant, _ write: (JSONReport) -> Void) {
    while let first = heap.first, first.time <= time {
      heap.popFirst()
      write(first.report)
    }
  }
}
