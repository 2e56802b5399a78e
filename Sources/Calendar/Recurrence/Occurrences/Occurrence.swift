import FencepostAlgorithms
public import FencepostCalendarModel

/// One occurrence of an item.
///
/// It is small, so that a year of them is cheap: the occurrences of an item share their common data.
public struct Occurrence: Sendable {
  /// The start.
  public var startInstant: Instant { Instant(seconds: startSeconds) }
  /// The end; the same as ``startInstant`` if it has no duration.
  public var endInstant: Instant { Instant(seconds: endSeconds) }
  /// The start, in the form of the item's start.
  public var start: CalendarTime { form.start.with(civil: CivilDateTime(secondsSinceEpoch: startLocal)) }
  /// The end, in the form of the item's end: an event's end, a reminder's due time.
  public var end: CalendarTime { form.end.with(civil: CivilDateTime(secondsSinceEpoch: endLocal)) }
  /// The original start in the series, like RECURRENCE-ID; `nil` if the item does not recur.
  public var recurrenceID: CalendarTime? {
    form.identifier?.with(civil: CivilDateTime(secondsSinceEpoch: identifierLocal))
  }
  /// The index in ``OccurrenceSeries/items`` of the item with its title and other properties.
  public var item: Int { form.item }
  /// Whether that item is for this occurrence only.
  public var isDetached: Bool { form.isDetached }
  /// Whether that item is cancelled (STATUS:CANCELLED).
  public var isCancelled: Bool { form.isCancelled }

  /// The common data of the occurrences of one item.
  final class Form: Sendable {
    let item: Int
    let start: CalendarTime
    let end: CalendarTime
    let identifier: CalendarTime?
    let isDetached: Bool
    let isCancelled: Bool

    init(
      item: Int, start: CalendarTime, end: CalendarTime, identifier: CalendarTime?, isDetached: Bool,
      isCancelled: Bool
    ) {
      self.item = item
      self.start = start
      self.end = end
      self.identifier = identifier
      self.isDetached = isDetached
      self.isCancelled = isCancelled
    }
  }

  let form: Form
  let identifierLocal: Int64
  let startLocal: Int64
  let endLocal: Int64
  let startSeconds: Int64
  let endSeconds: Int64
}

extension Occurrence: Hashable {
  /// Whether both have the same times and the same item.
  public static func == (a: Occurrence, b: Occurrence) -> Bool {
    a.startSeconds == b.startSeconds && a.endSeconds == b.endSeconds && a.item == b.item && a.start == b.start
      && a.end == b.end && a.recurrenceID == b.recurrenceID
  }

  /// Hashes times and item.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(startSeconds)
    hasher.combine(endSeconds)
    hasher.combine(item)
  }
}

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
    // Don't copy the whole lane: a second reference to the storage of `rest` would force a copy when it
    // advances.
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
