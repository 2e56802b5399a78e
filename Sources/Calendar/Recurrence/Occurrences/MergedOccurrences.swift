import FencepostAlgorithms
public import FencepostCalendarModel

/// The occurrences of many series, ordered by start, computed on demand.
///
/// It keeps one occurrence of each series. Each step costs the logarithm of the number of series.
public struct MergedOccurrences: Sequence, IteratorProtocol {
  private struct Lane: Comparable {
    let series: Int
    var head: Occurrence
    var rest: OccurrenceSequence

    static func < (a: Lane, b: Lane) -> Bool {
      let (first, second) = (a.head.startInstant, b.head.startInstant)
      return first == second ? a.series < b.series : first < second
    }

    static func == (a: Lane, b: Lane) -> Bool {
      a.series == b.series && a.head.startInstant == b.head.startInstant
    }
  }

  private var lanes: Heap<Lane>

  /// The occurrences of `series` in `range`, ordered by start, then by series.
  public init(_ series: [OccurrenceSeries], in range: Range<Instant>) {
    lanes = Heap(
      series.enumerated().compactMap { index, one in
        var rest = one.occurrences(in: range)
        return rest.next().map { Lane(series: index, head: $0, rest: rest) }
      })
  }

  /// The next occurrence and the index of its series.
  public mutating func next() -> (series: Int, occurrence: Occurrence)? {
    // Don't copy the whole lane: a second reference to the storage of `rest` would force a copy when it advances.
    guard let found = lanes.first.map({ (series: $0.series, occurrence: $0.head) }) else { return nil }
    var hasNext = false
    lanes.updateFirst { lane in
      guard let head = lane.rest.next() else { return }
      lane.head = head
      hasNext = true
    }
    if !hasNext { lanes.popFirst() }
    return found
  }
}
