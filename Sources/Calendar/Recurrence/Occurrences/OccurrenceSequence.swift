import FencepostCalendarModel

/// The occurrences of a series in a range, ordered by start, computed on demand.
public struct OccurrenceSequence: Sequence, IteratorProtocol {
  private let range: Range<Instant>
  private let startsOnly: Bool
  private var walker: SegmentWalker?
  /// More segments, and the next occurrence of each segment if there are several.
  private var others: [SegmentWalker] = []
  private var heads: [Occurrence?] = []
  private let detached: [Occurrence]
  private var detachedIndex = 0
  private let isSingle: Bool

  init(_ series: OccurrenceSeries, range: Range<Instant>, startsOnly: Bool) {
    self.range = range
    self.startsOnly = startsOnly
    let lower = range.lowerBound == .distantPast ? nil : ZoneRules.clamped(range.lowerBound.wholeSeconds)
    let upper = range.upperBound == .distantFuture ? nil : ZoneRules.clamped(range.upperBound.wholeSeconds)
    func walker(_ segment: SeriesSegment) -> SegmentWalker {
      SegmentWalker(
        segment, startingAt: lower.map { startsOnly ? $0 : $0 - segment.longest }, until: upper)
    }
    self.walker = series.segments.first.map(walker)
    detached = series.detached
    isSingle = series.segments.count <= 1 && series.detached.isEmpty
    if !isSingle && self.walker != nil {
      others = series.segments.dropFirst().map(walker)
      heads = [self.walker?.next()]
      for index in others.indices { heads.append(others[index].next()) }
    }
  }

  /// The next occurrence; `nil` at the end of the range.
  public mutating func next() -> Occurrence? {
    while let occurrence = isSingle ? walker?.next() : merged() {
      if occurrence.startInstant >= range.upperBound {
        // Later ones start later.
        walker = nil
        others = []
        heads = []
        detachedIndex = detached.count
        return nil
      }
      if occurrence.startInstant >= range.lowerBound
        || (!startsOnly && occurrence.endInstant > range.lowerBound)
      {
        return occurrence
      }
    }
    return nil
  }

  private mutating func merged() -> Occurrence? {
    var best = detachedIndex < detached.count ? detached[detachedIndex] : nil
    var source = -1
    for index in heads.indices {
      guard let head = heads[index] else { continue }
      if best.map({ head.startSeconds < $0.startSeconds }) ?? true {
        best = head
        source = index
      }
    }
    switch source {
    case -1: detachedIndex += 1
    case 0: heads[0] = walker?.next()
    default: heads[source] = others[source - 1].next()
    }
    return best
  }
}
