import FencepostAlgorithms
import FencepostCalendarModel

/// Iterates over the occurrences of a segment by start: rules and dates without the exceptions, as instants.
struct SegmentWalker {
  private let segment: SeriesSegment
  private var starts: StartMerge
  private var exceptionRules: [AscendingMembership]
  private var cursor: ZoneCursor
  private var ends: ZoneCursor
  private let isPlain: Bool
  private let hasExceptions: Bool
  /// The local second at which the iteration ends.
  private let end: Int64
  /// Occurrences found ahead of time, near a clock gap. The next one is last.
  private var held: [Occurrence] = []

  /// The maximum number of exceptions in a row before the iteration ends: a day of seconds, two months of
  /// minutes, eleven years of hours, 270 years of days.
  private static let maxExceptions = 100_000

  /// - Parameters:
  ///   - seconds: The earliest instant of interest, in seconds.
  ///   - last: The latest instant of interest, in seconds. Some later starts may follow.
  init(_ segment: SeriesSegment, startingAt seconds: Int64?, until last: Int64? = nil) {
    self.segment = segment
    let source = segment.source
    starts = StartMerge(source.rules, dates: source.dates)
    exceptionRules = source.exceptionRules.map { AscendingMembership($0) }
    cursor = ZoneCursor(segment.zone)
    ends = ZoneCursor(segment.endZone)
    hasExceptions = !segment.excluded.isEmpty || !exceptionRules.isEmpty
    isPlain =
      segment.shift == 0 && !segment.changesZone && !segment.isAllDay && source.lengths.isEmpty
      && segment.days == 0
    // Between two zones, instants differ by at most a day and two hours.
    let slack: Int64 = segment.changesZone ? 2 * 86_400 : 0
    var end = segment.upper
    if let last {
      // A whole day starts up to a day before the rule's local time.
      let day: Int64 = segment.isAllDay ? 86_400 : 0
      end = min(end, segment.zone.lastLocal(notAfter: last) - segment.shift + slack + day + 1)
    }
    self.end = end
    var from = segment.lower == .min ? Int64.min : segment.lower + 1
    if let seconds {
      from = max(from, segment.zone.firstLocal(notBefore: seconds) - segment.shift - slack)
    }
    if from > .min { starts.skip(to: from) }
  }

  /// The next occurrence; `nil` at the end.
  @inline(__always)
  mutating func next() -> Occurrence? {
    if !held.isEmpty { return held.removeLast() }
    guard let (occurrence, gap) = step() else { return nil }
    return gap == 0 ? occurrence : sort(from: occurrence, gap: gap)
  }

  /// The next occurrence by local time, and the seconds that a clock gap moves it.
  @inline(__always)
  private mutating func step() -> (Occurrence, gap: Int64)? {
    var excepted = 0
    while let local = starts.next() {
      if local <= segment.lower { continue }
      if local >= end { return nil }
      if hasExceptions && isExcepted(local) {
        excepted += 1
        if excepted > Self.maxExceptions { return nil }
        continue
      }
      if !isPlain { return moved(local) }
      let start = cursor.seconds(ofLocal: local)
      let gap = start >= cursor.changeSeconds ? start + segment.zone.offset(after: start) - local : 0
      // In a gap, an exception in UTC names the local time after the gap.
      if gap != 0, hasExceptions, segment.excluded.contains(local + gap) { continue }
      let end = start &+ segment.length
      return (
        Occurrence(
          form: segment.form, identifierLocal: local, startLocal: local &+ gap,
          endLocal: ends.local(ofSeconds: end), startSeconds: start, endSeconds: end),
        gap
      )
    }
    return nil
  }

  /// The occurrence for the rule's start `local`, in segments that need more than a conversion.
  private mutating func moved(_ local: Int64) -> (Occurrence, gap: Int64) {
    var startLocal = local
    if segment.changesZone {
      let seconds = segment.source.zone.seconds(ofLocal: local)
      startLocal = ZoneRules.localSeconds(segment.zone.civil(at: Instant(seconds: seconds)))
    }
    startLocal += segment.shift
    let length = segment.source.lengths[local]
    if segment.isAllDay {
      startLocal = Int64(Gregorian.floorDiv(Int(startLocal), 86_400)) * 86_400
      let days = (length ?? segment.length) / 86_400 * 86_400
      let occurrence = Occurrence(
        form: segment.form, identifierLocal: local, startLocal: startLocal, endLocal: startLocal + days,
        startSeconds: cursor.seconds(ofLocal: startLocal),
        endSeconds: ends.seconds(ofLocal: startLocal + days))
      return (occurrence, 0)
    }
    let start = cursor.seconds(ofLocal: startLocal)
    let gap = start >= cursor.changeSeconds ? start + segment.zone.offset(after: start) - startLocal : 0
    let end =
      length.map { start + $0 }
      ?? (segment.days == 0
        ? start : ends.seconds(ofLocal: ends.local(ofSeconds: start) + segment.days * 86_400))
      + segment.length
    let occurrence = Occurrence(
      form: segment.form, identifierLocal: local, startLocal: startLocal + gap,
      endLocal: ends.local(ofSeconds: end), startSeconds: start, endSeconds: end)
    return (occurrence, gap)
  }

  private mutating func isExcepted(_ local: Int64) -> Bool {
    if segment.excluded.contains(local) { return true }
    for index in exceptionRules.indices where exceptionRules[index].contains(local) { return true }
    return false
  }

  /// Sorts occurrences near a clock gap and removes duplicates. Skipped local times become instants after the
  /// gap, where the local times after the gap are too.
  private mutating func sort(from first: Occurrence, gap: Int64) -> Occurrence {
    let end = cursor.changeLocal + gap
    var found = [first]
    while let (occurrence, _) = step() {
      found.append(occurrence)
      if occurrence.startLocal >= end { break }
    }
    found.sort { ($0.startSeconds, $0.identifierLocal) > ($1.startSeconds, $1.identifierLocal) }
    for occurrence in found where held.last?.startSeconds != occurrence.startSeconds {
      held.append(occurrence)
    }
    return held.popLast() ?? first
  }
}

extension ZoneRules {
  /// Seconds east of UTC at `seconds`.
  fileprivate func offset(after seconds: Int64) -> Int64 {
    spans[span(at: Self.clamped(seconds)).index].offset
  }
}

/// Merges the starts of several rules and a list of dates, without duplicates.
struct StartMerge {
  private var first: RuleIterator?
  private var others: [RuleIterator]
  private var dates: [Int64]
  /// The next start of the other rules, of the first rule, and the next date.
  private var heads: [Int64?] = []
  private var dateIndex = 0
  private let isSingle: Bool
  private var isPrimed = false

  init(_ rules: [RuleExpansion], dates: [Int64]) {
    first = rules.first?.makeIterator()
    others = rules.dropFirst().map { $0.makeIterator() }
    self.dates = dates
    isSingle = rules.count == 1 && dates.isEmpty
  }

  /// Skips starts before `local`. Call it only before the first ``next()``.
  mutating func skip(to local: Int64) {
    first?.skip(toLocal: local)
    for index in others.indices { others[index].skip(toLocal: local) }
    dateIndex = dates.partitioningIndex { $0 >= local }
  }

  /// The next start.
  @inline(__always)
  mutating func next() -> Int64? {
    if isSingle { return first?.nextLocal() }
    return nextOfSeveral()
  }

  private mutating func nextOfSeveral() -> Int64? {
    if !isPrimed {
      heads = [first?.nextLocal()]
      for index in others.indices { heads.append(others[index].nextLocal()) }
      isPrimed = true
    }
    var smallest = dateIndex < dates.count ? dates[dateIndex] : nil
    for case let head? in heads where smallest.map({ head < $0 }) ?? true { smallest = head }
    guard let smallest else { return nil }
    if dateIndex < dates.count, dates[dateIndex] == smallest { dateIndex += 1 }
    for index in heads.indices where heads[index] == smallest {
      heads[index] = index == 0 ? first?.nextLocal() : others[index - 1].nextLocal()
    }
    return smallest
  }
}

/// Checks if a rule gives a start. Query it in ascending order.
struct AscendingMembership {
  private var starts: RuleIterator
  /// The last found start, at or after the last query.
  private var head: Int64?

  init(_ rule: RuleExpansion) {
    starts = rule.makeIterator()
    head = .min
  }

  mutating func contains(_ local: Int64) -> Bool {
    // The next start is usually one of the next few. Jump if it is far ahead.
    for _ in 0..<8 {
      guard let head else { return false }
      if head >= local { return head == local }
      self.head = starts.nextLocal()
    }
    guard let passed = head, passed < local else { return head == local }
    starts.skip(toLocal: local)
    head = starts.nextLocal()
    return head == local
  }
}

/// The part of a series that takes its text, duration and shift from one item. It is the whole series, unless
/// a detached item also covers the later occurrences (RANGE=THISANDFUTURE, RFC 5545 section 3.8.4.4).
final class SeriesSegment: Sendable {
  let source: SeriesSource
  let excluded: ExceptionDates
  /// The segment contains only starts between these, in local time of the series.
  let lower: Int64
  let upper: Int64
  let form: Occurrence.Form
  /// The zone of the item's start; the series' zone if they are the same.
  let zone: ZoneRules
  let endZone: ZoneRules
  /// Whether the item's zone differs from the series' zone, so that starts need a conversion.
  let changesZone: Bool
  /// The seconds that the item moved, in local time.
  let shift: Int64
  /// The duration of an occurrence in seconds, after ``days``; whole local days if ``isAllDay``.
  let length: Int64
  /// The days on the wall clock of an occurrence whose item has a nominal duration; usually 0.
  let days: Int64
  let isAllDay: Bool

  init?(
    _ times: ItemTimes, item index: Int, source: SeriesSource, excluded: ExceptionDates, after lower: Int64,
    before upper: Int64, isSeries: Bool, resolver: TimeResolver
  ) {
    guard let start = times.anchor else { return nil }
    let end = times.end ?? start
    self.source = source
    self.excluded = excluded
    self.lower = lower
    self.upper = upper
    zone = start.zone == source.anchor.zone ? source.zone : resolver.rules(for: start)
    endZone = end.zone == start.zone ? zone : resolver.rules(for: end)
    changesZone = zone !== source.zone
    if let detachment = times.detachment {
      let identifier = source.local(detachment.occurrence)
      let there =
        changesZone
        ? ZoneRules.localSeconds(zone.civil(at: Instant(seconds: source.zone.seconds(ofLocal: identifier))))
        : identifier
      shift = ZoneRules.localSeconds(start.civil) - there
    } else {
      shift = 0
    }
    isAllDay = start.isDate
    var days: Int64 = 0
    if isAllDay {
      length = max(0, Int64(end.day.dayNumber.clampedDay - start.day.dayNumber.clampedDay) * 86_400)
    } else {
      let seconds = max(0, endZone.seconds(of: end) - zone.seconds(of: start))
      let nominal = times.nominalDays
      // The time after the days, by the same steps as for an occurrence.
      let rest =
        endZone.seconds(of: end)
        - zone.seconds(ofLocal: ZoneRules.localSeconds(start.civil) + nominal * 86_400)
      if nominal > 0, start.zone == end.zone, rest >= 0 {
        (days, length) = (nominal, rest)
      } else {
        length = seconds
      }
    }
    self.days = days
    form = Occurrence.Form(
      item: index, start: start, end: isAllDay ? start : end, identifier: isSeries ? source.anchor : nil,
      isDetached: false, isCancelled: times.isCancelled)
  }

  /// The longest duration of its occurrences, in seconds.
  var longest: Int64 {
    max(length + days * 86_400 + (isAllDay || days > 0 ? 7_200 : 0), source.lengths.values.max() ?? 0)
  }

  /// From the first start to the last end. The end is `nil` if the segment is endless; all is `nil` if it is
  /// empty.
  var bounds: (start: Int64, end: Int64?)? {
    var walker = SegmentWalker(self, startingAt: nil)
    guard let first = walker.next() else { return nil }
    var last: Int64? = source.dates.last ?? .min
    if upper != .max {
      last = upper
    } else {
      for rule in source.rules {
        let end = rule.count == nil ? rule.boundedEnd : rule.lastCounted().map(ZoneRules.localSeconds)
        last = last.flatMap { last in end.map { max(last, $0) } }
      }
    }
    // A day more than the shift, because zones may move it.
    let slack: Int64 = changesZone ? 2 * 86_400 : 0
    return (
      first.startSeconds,
      last.map { local in
        max(first.endSeconds, zone.seconds(ofLocal: local + max(0, shift) + slack) + longest)
      }
    )
  }
}

/// The data that a segment takes from an item.
struct ItemTimes {
  let anchor: CalendarTime?
  let end: CalendarTime?
  let detachment: CalendarItem.Detachment?
  let isCancelled: Bool
  /// The whole days of its nominal duration; 0 if its length is exact.
  let nominalDays: Int64

  /// - Parameter isHead: Whether the series starts with this item, so that it has not moved.
  init(_ items: [CalendarItem], _ index: Int, isHead: Bool) {
    anchor = items[index].anchor
    end = items[index].occurrenceEnd
    detachment = isHead ? nil : items[index].detachment
    isCancelled = items[index].isCancelled
    nominalDays = items[index].nominalDays
  }
}

extension RuleExpansion {
  /// The last second before UNTIL; `nil` without UNTIL.
  fileprivate var boundedEnd: Int64? {
    limit < Int64(Gregorian.lastDay) * 86_400 ? limit : nil
  }
}

extension Int {
  /// A day number within a range that avoids overflow.
  fileprivate var clampedDay: Int { Swift.min(Swift.max(self, -100_000_000), 100_000_000) }
}

extension ZoneRules {
  /// The UTC second of `time` in this zone.
  func seconds(of time: CalendarTime) -> Int64 { seconds(ofLocal: Self.localSeconds(time.civil)) }
}
