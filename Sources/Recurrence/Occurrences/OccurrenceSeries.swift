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
    // Items are not taken out of the array: copying one takes as long as all else here.
    guard !ordered.isEmpty, ordered[0].detachment == nil, let anchor = ordered[0].anchor else {
      segments = []
      detached = ordered.indices.compactMap {
        Self.single(ordered[$0], item: $0, identifier: ordered[$0].detachment?.occurrence, resolver: resolver)
      }.sorted { $0.startSeconds < $1.startSeconds }
      return
    }
    let recurrence = ordered[0].recurrence ?? Recurrence()
    let isSeries = !recurrence.rules.isEmpty || !recurrence.dates.isEmpty
    let source = SeriesSource(recurrence, anchor: anchor, resolver: resolver)
    var excluded = source.exceptions
    var detached: [Occurrence] = []
    var futures: [(local: Int64, item: Int)] = []
    for index in ordered.indices.dropFirst() {
      guard let detachment = ordered[index].detachment else { continue }
      let local = source.local(detachment.occurrence)
      excluded.insert(detachment.occurrence, local: local, anchor: anchor)
      let identifier = anchor.with(civil: CivilDateTime(secondsSinceEpoch: local))
      if let single = Self.single(ordered[index], item: index, identifier: identifier, resolver: resolver) {
        detached.append(single)
      }
      if detachment.andFuture { futures.append((local, index)) }
    }
    futures.sort { $0.local < $1.local }

    var segments: [SeriesSegment] = []
    var lower = Int64.min
    for number in 0...futures.count {
      let upper = number < futures.count ? futures[number].local : Int64.max
      let item = number == 0 ? 0 : futures[number - 1].item
      if upper > lower,
        let segment = SeriesSegment(
          ItemTimes(ordered, item), item: item, source: source, excluded: excluded, after: lower,
          before: upper,
          isSeries: isSeries, resolver: resolver)
      {
        segments.append(segment)
      }
      lower = max(lower, upper)
    }
    self.segments = segments
    self.detached = detached.sorted { $0.startSeconds < $1.startSeconds }
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

  /// True where it was called off.
  var isCancelled: Bool {
    switch details {
    case .event(let event): event.status == .cancelled
    case .reminder(let reminder): reminder.isCancelled
    }
  }
}
