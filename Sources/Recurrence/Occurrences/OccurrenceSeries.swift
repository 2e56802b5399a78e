public import CalendarModel

/// An item with its rules, and the items that stand for single occurrences of it: the recurrence set of RFC
/// 5545 (section 3.8.5) ready to be asked what takes place when.
///
/// - The set is the start, what the rules (RRULE) and dates (RDATE) give, without what the exception dates
///   (EXDATE) and rules (EXRULE) name. An EXDATE with no time takes away whatever starts on that day; one with
///   no zone is read in the series'.
/// - Where exceptions take very many starts in a row (some 100,000), the series is taken to be over there, so that one
///   whose exception rule takes everything has an end too.
/// - A detached item takes the place of the occurrence that its RECURRENCE-ID names, and takes place even where
///   the rule gives no such occurrence. With RANGE=THISANDFUTURE the later occurrences follow it: they take its
///   text and length and are moved as far as it was.
/// - Where there is no master, a detached item that has rules or dates of its own is a series: programs split series so,
///   and nothing else would ever tell of its later occurrences.
/// - Occurrences are as long as the item, in exact seconds; whole days are as many whole days (section 3.8.5.3).
/// - Cancelled items have occurrences; ``Occurrence/isCancelled`` tells them.
///
/// Making one reads every date of the item once; asking costs what the answer holds.
public struct OccurrenceSeries: Sendable {
  /// The series' items: the master first, where there is one, and then the detached ones.
  public let items: [CalendarItem]
  let segments: [SeriesSegment]
  /// Detached occurrences, by start.
  let detached: [Occurrence]

  /// The series that `items` are: one master and the detached occurrences of the same UID, in any order.
  ///
  /// Of several masters the first counts. Items without any date have no occurrences.
  public init(_ items: [CalendarItem], resolver: TimeResolver) {
    if items.count == 1 {
      self.init(ordered: items, resolver: resolver)
      return
    }
    var ordered: [CalendarItem] = []
    if let master = items.firstIndex(where: { $0.detachment == nil }) { ordered.append(items[master]) }
    ordered += items.filter { $0.detachment != nil }
    self.init(ordered: ordered, resolver: resolver)
  }

  /// The series of an item with no detached occurrences.
  public init(_ item: consuming CalendarItem, resolver: TimeResolver) {
    self.init(ordered: [item], resolver: resolver)
  }

  private init(ordered: [CalendarItem], resolver: TimeResolver) {
    items = ordered
    if let alone = Self.alone(ordered, resolver: resolver) {
      segments = []
      detached = [alone]
      return
    }
    let heads = Self.heads(of: ordered)
    var detached: [Int: Occurrence] = [:]
    for index in ordered.indices where heads.isEmpty {
      let identifier = ordered[index].detachment?.occurrence
      detached[index] = Self.single(ordered[index], item: index, identifier: identifier, resolver: resolver)
    }
    segments = heads.flatMap { head in
      Self.segments(ordered, head: head, heads: heads, detached: &detached, resolver: resolver)
    }
    self.detached = detached.values.sorted { ($0.startSeconds, $0.item) < ($1.startSeconds, $1.item) }
  }

  /// The items whose own rules and dates count: the master, or where there is none, the detached items that repeat.
  private static func heads(of ordered: [CalendarItem]) -> [Int] {
    guard let first = ordered.first else { return [] }
    if first.detachment == nil { return first.anchor == nil ? [] : [0] }
    // Each is compared with all others, so there must be an end to it. What comes after occurs once.
    return Array(
      ordered.indices.lazy.filter { ordered[$0].anchor != nil && ordered[$0].repeats }.prefix(mostHeads))
  }

  private static let mostHeads = 32

  /// The segments of the series that the item at `head` begins. Detached items stand for occurrences of it, and are put
  /// into `detached` by their places.
  private static func segments(
    _ ordered: [CalendarItem], head: Int, heads: [Int], detached: inout [Int: Occurrence],
    resolver: TimeResolver
  ) -> [SeriesSegment] {
    // Items are not taken out of the array: copying one takes as long as all else here.
    guard let anchor = ordered[head].anchor else { return [] }
    let isSeries = ordered[head].repeats
    let source = SeriesSource(
      ordered[head].recurrence ?? Recurrence(), anchor: anchor, resolver: resolver)
    var excluded = source.exceptions
    var futures: [(local: Int64, item: Int)] = []
    for index in ordered.indices where !heads.contains(index) {
      guard let detachment = ordered[index].detachment else { continue }
      let local = source.local(detachment.occurrence)
      excluded.insert(detachment.occurrence, local: local, anchor: anchor)
      if detached[index] == nil {
        let identifier = anchor.with(civil: CivilDateTime(secondsSinceEpoch: local))
        detached[index] = single(ordered[index], item: index, identifier: identifier, resolver: resolver)
      }
      if detachment.andFuture { futures.append((local, index)) }
    }
    futures.sort { $0.local < $1.local }

    var segments: [SeriesSegment] = []
    var lower = Int64.min
    for number in 0...futures.count {
      let upper = number < futures.count ? futures[number].local : Int64.max
      let item = number == 0 ? head : futures[number - 1].item
      if upper > lower,
        let segment = SeriesSegment(
          ItemTimes(ordered, item, isHead: item == head), item: item, source: source, excluded: excluded,
          after: lower, before: upper, isSeries: isSeries, resolver: resolver)
      {
        segments.append(segment)
      }
      lower = max(lower, upper)
    }
    return segments
  }

  /// The one occurrence of an item that does not repeat, without the detour over rules and dates; `nil` where it
  /// repeats, or is not as usual.
  private static func alone(_ items: [CalendarItem], resolver: TimeResolver) -> Occurrence? {
    guard items.count == 1, items[0].recurrence == nil, items[0].detachment == nil,
      let start = items[0].anchor
    else { return nil }
    let end = items[0].occurrenceEnd ?? start
    guard end.isDate == start.isDate else { return nil }
    let zone = resolver.rules(for: start)
    let endZone = end.zone == start.zone ? zone : resolver.rules(for: end)
    let startSeconds = zone.seconds(of: start)
    let endSeconds = endZone.seconds(of: end)
    guard endSeconds >= startSeconds else { return nil }
    // A reading that the clocks skip is shown as what they then say.
    func shown(_ time: CalendarTime, _ seconds: Int64, _ zone: ZoneRules) -> Int64 {
      let local = ZoneRules.localSeconds(time.civil)
      return time.isDate || zone === ZoneRules.utc ? local : zone.localSeconds(at: seconds)
    }
    return Occurrence(
      form: Occurrence.Form(
        item: 0, start: start, end: end, identifier: nil, isDetached: false, isCancelled: items[0].isCancelled
      ),
      identifierLocal: 0, startLocal: shown(start, startSeconds, zone),
      endLocal: shown(end, endSeconds, endZone), startSeconds: startSeconds, endSeconds: endSeconds)
  }

  /// An item that stands for one occurrence.
  private static func single(
    _ item: CalendarItem, item index: Int, identifier: CalendarTime?, resolver: TimeResolver
  ) -> Occurrence? {
    guard let start = item.anchor else { return nil }
    let end = item.occurrenceEnd ?? start
    let startSeconds = resolver.instant(of: start).wholeSeconds
    let endSeconds = resolver.instant(of: end).wholeSeconds
    let isOrdered = endSeconds >= startSeconds
    return Occurrence(
      form: Occurrence.Form(
        item: index, start: start, end: isOrdered ? end : start, identifier: identifier,
        isDetached: item.detachment != nil, isCancelled: item.isCancelled),
      identifierLocal: identifier.map { ZoneRules.localSeconds($0.civil) } ?? 0,
      startLocal: ZoneRules.localSeconds(start.civil),
      endLocal: ZoneRules.localSeconds((isOrdered ? end : start).civil),
      startSeconds: startSeconds, endSeconds: max(startSeconds, endSeconds))
  }
}

extension OccurrenceSeries {
  /// The occurrences that take place in `range`, by start: those that start in it, and those that started
  /// before and have not ended when it begins. Found as they are asked for.
  public func occurrences(in range: Range<Instant>) -> OccurrenceSequence {
    OccurrenceSequence(self, range: range, startsOnly: false)
  }

  /// The occurrences that start in `range`, by start. Found as they are asked for.
  public func occurrences(startingIn range: Range<Instant>) -> OccurrenceSequence {
    OccurrenceSequence(self, range: range, startsOnly: true)
  }

  /// The occurrences from the first on; there may be very many.
  public var occurrences: OccurrenceSequence {
    occurrences(startingIn: Instant.distantPast..<Instant.distantFuture)
  }

  /// The first occurrence that starts after `instant`; `nil` where there is none.
  public func firstOccurrence(startingAfter instant: Instant) -> Occurrence? {
    guard instant < .distantFuture else { return nil }
    let next = Instant(microseconds: instant.microseconds + 1)
    var sequence = occurrences(startingIn: next..<Instant.distantFuture)
    return sequence.next()
  }

  /// When the series takes place at all: the start of its first occurrence, and the end of its last one or a
  /// moment not before it; `end` is `nil` where it goes on without end. `nil` for items without dates.
  ///
  /// For an index over time. Floating items move with the zone that the resolver reads them in, by up to a day.
  public var bounds: (start: Instant, end: Instant?)? {
    var start: Int64?
    var end: Int64? = .min
    func include(_ first: Int64, _ last: Int64?) {
      start = min(start ?? first, first)
      end = end.flatMap { end in last.map { max(end, $0) } }
    }
    for occurrence in detached { include(occurrence.startSeconds, occurrence.endSeconds) }
    for segment in segments {
      if let bounds = segment.bounds { include(bounds.start, bounds.end) }
    }
    guard let start else { return nil }
    return (Instant(seconds: start), end.map { Instant(seconds: max($0, start)) })
  }
}

extension CalendarItem {
  /// When an occurrence ends: an event's end, a reminder's due time.
  var occurrenceEnd: CalendarTime? {
    switch details {
    case .event(let event): event.end
    case .reminder(let reminder): reminder.due
    }
  }

  /// True where it says itself that it takes place more than once.
  var repeats: Bool { recurrence.map { !$0.rules.isEmpty || !$0.dates.isEmpty } ?? false }

  /// True where it was called off.
  var isCancelled: Bool {
    switch details {
    case .event(let event): event.status == .cancelled
    case .reminder(let reminder): reminder.isCancelled
    }
  }
}
