public import CalendarModel

/// The occurrences of many series, by start, found as they are asked for.
///
/// Holds one occurrence a series, in a binary heap: the next one costs the logarithm of their number.
public struct MergedOccurrences: Sequence, IteratorProtocol {
  private struct Lane {
    let series: Int
    var head: Occurrence
    var rest: OccurrenceSequence

    func precedes(_ other: Lane) -> Bool {
      let (a, b) = (head.startInstant, other.head.startInstant)
      return a == b ? series < other.series : a < b
    }
  }

  private var heap: [Lane] = []

  /// The occurrences of `series` that take place in `range`, by start; at the same start in the order of the
  /// series.
  public init(_ series: [OccurrenceSeries], in range: Range<Instant>) {
    for (index, one) in series.enumerated() {
      var rest = one.occurrences(in: range)
      guard let head = rest.next() else { continue }
      heap.append(Lane(series: index, head: head, rest: rest))
    }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  /// The next occurrence, and the index of the series that it is of.
  public mutating func next() -> (series: Int, occurrence: Occurrence)? {
    guard !heap.isEmpty else { return nil }
    let found = (heap[0].series, heap[0].head)
    if let head = heap[0].rest.next() {
      heap[0].head = head
    } else {
      let last = heap.removeLast()
      if heap.isEmpty { return found }
      heap[0] = last
    }
    sink(0)
    return found
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].precedes(heap[least]) { least = child }
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
