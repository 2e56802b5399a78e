public import CalendarModel

/// Tells when the alarms of time of an item are due (VALARM of RFC 5545, section 3.6.6, with the acknowledgement
/// of RFC 9074, section 6).
///
/// - A relative alarm is told from its edge of each occurrence: its days on the wall clock of the occurrence's
///   zone, its seconds exactly. Where the item has no time of day, from midnight in the reader's zone; where it is a
///   reminder, mostly from the all-day hour: see ``secondOfDay(for:of:)``.
/// - An absolute alarm is due once, however often the item takes place.
/// - REPEAT adds so many more due times, DURATION apart: a hundred at most, within a week.
/// - A reminder with a due time and without an alarm has the one that its list's settings imply.
/// - What was acknowledged is not due again, and completed reminders and cancelled events are never due.
public struct AlarmSchedule: Sendable {
  /// The zones, and the one in which floating times are meant.
  public let resolver: TimeResolver
  /// What holds of reminders where their list says nothing.
  public let defaults: AlarmDefaults
  /// What lists say of the alarms of their reminders; those that say nothing are left out.
  public var lists: [Identifier<ItemCalendar>: ListAlarms]

  /// A schedule in the zones of `resolver`.
  ///
  /// - Parameters:
  ///   - resolver: The zones, and the one in which floating times are meant.
  ///   - defaults: What holds of reminders where their list says nothing.
  ///   - lists: What lists say.
  public init(
    resolver: TimeResolver, defaults: AlarmDefaults = AlarmDefaults(),
    lists: [Identifier<ItemCalendar>: ListAlarms] = [:]
  ) {
    self.resolver = resolver
    self.defaults = defaults
    self.lists = lists
  }

  /// What holds of the reminders of a list.
  public func defaults(of list: Identifier<ItemCalendar>) -> AlarmDefaults {
    lists[list]?.over(defaults) ?? defaults
  }

  /// The alarm that an item has by the settings of its list, though it has none of its own.
  public func impliedAlarm(of item: CalendarItem) -> Alarm? {
    guard lists[item.calendar]?.ringsWhenDue ?? true, let offset = defaults(of: item.calendar).alarm else {
      return nil
    }
    return item.impliedAlarm(offset)
  }

  /// The alarms of an item, the one that is implied included.
  public func alarms(of item: CalendarItem) -> [Alarm] {
    impliedAlarm(of: item).map { item.alarms + [$0] } ?? item.alarms
  }

  /// The first due time after `instant` of each alarm of each item of a series, in no order.
  public func next(in series: OccurrenceSeries, after instant: Instant) -> [DueTime] {
    var dueTimes: [DueTime] = []
    for (index, item) in series.items.enumerated() where !item.isSilenced {
      for alarm in alarms(of: item) {
        if let due = next(of: alarm, ofItem: index, in: series, after: instant) { dueTimes.append(due) }
      }
    }
    return dueTimes
  }

  /// The first due time after `instant` of an alarm of the item at `index` of a series; `nil` where there is
  /// none.
  ///
  /// Costs what a look for an occurrence costs, and not the years since the start.
  public func next(
    of alarm: Alarm, ofItem index: Int, in series: OccurrenceSeries, after instant: Instant
  ) -> DueTime? {
    var times = times(of: alarm, ofItem: index, in: series, after: instant)
    return times.next()
  }

  /// The due times after `instant` of an alarm of the item at `index` of a series, in their order.
  public func times(
    of alarm: Alarm, ofItem index: Int, in series: OccurrenceSeries, after instant: Instant
  ) -> DueTimeSequence {
    let item = series.items[index]
    let after = max(instant, alarm.acknowledged ?? .distantPast)
    let (count, interval, total) = repetitions(of: alarm)
    switch alarm.trigger {
    case _ where alarm.isSilent, .none:
      return DueTimeSequence(neverOf: alarm, of: item)
    case .absolute(let base):
      return DueTimeSequence(of: alarm, of: item, at: base, repetitions: (count, interval), after: after)
    case .relative(let offset, let edge):
      // No nominal day differs from 24 hours by more than a day; seconds are exact.
      let slack = offset.days == 0 && item.anchor?.isDate == false ? 0 : 3.0 * 86_400
      let shift = Double(offset.nominalSeconds)
      let range = after.adding(seconds: -shift - total - slack)..<Instant.distantFuture
      let series = series.only(item: index)
      return DueTimeSequence(
        of: alarm, of: item,
        in: edge == .start ? series.occurrences(startingIn: range) : series.occurrences(in: range),
        repetitions: (count, interval), after: after, lead: shift - slack
      ) { moment(offset, from: edge == .start ? $0.start : $0.end, of: item) }
    }
  }

  /// The second of a whole day from which an offset counts.
  ///
  /// All-day events are as RFC 5545 has it: midnight. For reminders, what programs write there has two readings. "On the
  /// day", "a day before" and "15 minutes before" are written as 0, -P1D and -PT15M by those to whom a due date without a
  /// time is one at the all-day hour (Apple's, Tasks.org). "On the day at nine" and "the day before at nine" are written
  /// as PT9H and -PT15H by those that count from midnight (Nextcloud's). So whole days, and whole days and less than
  /// would reach back to midnight, count from the all-day hour, and all else from midnight.
  public func secondOfDay(for offset: CalendarDuration, of item: CalendarItem) -> Int {
    guard item.reminder != nil else { return 0 }
    let hour = defaults(of: item.calendar).allDaySecond
    return (-hour...0).contains(offset.seconds % 86_400) ? hour : 0
  }

  private func moment(_ offset: CalendarDuration, from edge: CalendarTime, of item: CalendarItem) -> Instant {
    var civil = edge.civil
    if edge.isDate {
      civil = CivilDateTime(day: civil.day, secondOfDay: secondOfDay(for: offset, of: item))
    }
    let moved = CivilDateTime(day: civil.day.adding(days: offset.days), secondOfDay: civil.secondOfDay)
    // A whole day's midnight is the reader's.
    let time: CalendarTime = edge.isDate ? .floating(moved) : edge.with(civil: moved)
    return resolver.instant(of: time).adding(seconds: Double(offset.seconds))
  }

  /// How often an alarm goes off again, how many seconds apart, and how long that takes in all.
  private func repetitions(of alarm: Alarm) -> (count: Int, interval: Double, total: Double) {
    guard alarm.repeatCount > 0, let interval = alarm.repeatInterval, interval.nominalSeconds > 0 else {
      return (0, 0, 0)
    }
    let seconds = Double(interval.nominalSeconds)
    let fitting = (Self.longestRepetition / seconds).rounded(.down)
    let count = min(alarm.repeatCount, Self.mostRepetitions, Int(fitting))
    return (count, seconds, seconds * Double(count))
  }

  /// How often an alarm goes off again at most, and for how many seconds. A due time is looked for among all
  /// occurrences whose repetitions may reach it, so what a file asks for must have an end.
  private static let mostRepetitions = 100
  private static let longestRepetition = 7.0 * 86_400
}

extension OccurrenceSeries {
  /// The occurrences that come from one of the items alone.
  func only(item index: Int) -> OccurrenceSeries {
    OccurrenceSeries(
      items: items, segments: segments.filter { $0.form.item == index },
      detached: detached.filter { $0.item == index })
  }

  private init(items: [CalendarItem], segments: [SeriesSegment], detached: [Occurrence]) {
    self.items = items
    self.segments = segments
    self.detached = detached
  }
}
