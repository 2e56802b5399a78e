import FencepostCalendarModel

/// The part of a series that takes its text, duration and shift from one item. It is the whole series, unless a
/// detached item also covers the later occurrences (RANGE=THISANDFUTURE, RFC 5545 section 3.8.4.4).
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
  /// The duration of an occurrence in seconds; whole local days if ``isAllDay``.
  let length: Int64
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
    if isAllDay {
      length = max(0, Int64(end.day.dayNumber.clampedDay - start.day.dayNumber.clampedDay) * 86_400)
    } else {
      length = max(0, endZone.seconds(of: end) - zone.seconds(of: start))
    }
    form = Occurrence.Form(
      item: index, start: start, end: isAllDay ? start : end, identifier: isSeries ? source.anchor : nil,
      isDetached: false, isCancelled: times.isCancelled)
  }

  /// The longest duration of its occurrences, in seconds.
  var longest: Int64 {
    max(length + (isAllDay ? 7_200 : 0), source.lengths.values.max() ?? 0)
  }

  /// From the first start to the last end. The end is `nil` if the segment is endless; all is `nil` if it is empty.
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

  /// - Parameter isHead: Whether the series starts with this item, so that it has not moved.
  init(_ items: [CalendarItem], _ index: Int, isHead: Bool) {
    anchor = items[index].anchor
    end = items[index].occurrenceEnd
    detachment = isHead ? nil : items[index].detachment
    isCancelled = items[index].isCancelled
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
