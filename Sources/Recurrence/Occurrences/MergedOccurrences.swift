import Algorithms
public import CalendarModel

/// The occurrences of many series, by start, found as they are asked for.
///
/// Holds one occurrence a series: the next one costs the logarithm of their number.
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

  /// The occurrences of `series` that take place in `range`, by start; at the same start in the order of the
  /// series.
  public init(_ series: [OccurrenceSeries], in range: Range<Instant>) {
    lanes = Heap(
      series.enumerated().compactMap { index, one in
        var rest = one.occurrences(in: range)
        return rest.next().map { Lane(series: index, head: $0, rest: rest) }
      })
  }

  /// The next occurrence, and the index of the series that it is of.
  public mutating func next() -> (series: Int, occurrence: Occurrence)? {
    // Not the whole lane: a second reference to what `rest` holds would be copied when it moves on.
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
