import FencepostAlgorithms
internal import FencepostSpatiotemporal

/// Sorts reports by time: each waits until all earlier ones are read, up to a bound.
final class WaitingReports {
  private struct Waiting: Comparable {
    let time: Instant
    /// The number of reports before it. Reports with equal times keep their order.
    let order: Int
    let report: JSONReport

    static func < (a: Waiting, b: Waiting) -> Bool { (a.time, a.order) < (b.time, b.order) }
    static func == (a: Waiting, b: Waiting) -> Bool { (a.time, a.order) == (b.time, b.order) }
  }

  private let maximum: Int
  private var heap = Heap<Waiting>()
  private var count = 0

  /// A queue without reports; at most `maximum` reports wait at once.
  init(maximum: Int) { self.maximum = maximum }

  /// Adds `report` for `time`. If too many wait, writes the earliest to `write`. Cost: logarithmic.
  func add(_ report: JSONReport, at time: Instant, _ write: (JSONReport) -> Void) {
    heap.insert(Waiting(time: time, order: count, report: report))
    count += 1
    if heap.count > maximum, let first = heap.popFirst() { write(first.report) }
  }

  /// Writes the reports up to `time` to `write`, the earliest first.
  func release(through time: Instant, _ write: (JSONReport) -> Void) {
    while let first = heap.first, first.time <= time {
      heap.popFirst()
      write(first.report)
    }
  }
}
