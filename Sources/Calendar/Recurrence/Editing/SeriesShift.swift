import FencepostCalendarModel

/// The distance that a series moved: on the wall clock if the zone stayed the same, otherwise in seconds.
struct SeriesShift {
  /// The day of the moved occurrence before and after.
  let oldDay: CivilDay
  let newDay: CivilDay
  private let seconds: Int64
  private let like: CalendarTime
  private let isOnOneClock: Bool
  private let resolver: TimeResolver

  init(from old: CalendarTime, to new: CalendarTime, resolver: TimeResolver) {
    self.resolver = resolver
    like = new
    (oldDay, newDay) = (old.day, new.day)
    // On the same wall clock, nine o'clock moves to ten in summer and in winter.
    isOnOneClock = old.zone == new.zone && old.isDate == new.isDate
    seconds =
      isOnOneClock
      ? new.civil.secondsSinceEpoch - old.civil.secondsSinceEpoch
      : resolver.instant(of: new).wholeSeconds - resolver.instant(of: old).wholeSeconds
  }

  func apply(_ time: CalendarTime) -> CalendarTime {
    if isOnOneClock { return seconds == 0 ? time : time.with(civil: time.civil.adding(seconds: seconds)) }
    return resolver.time(
      Instant(seconds: resolver.instant(of: time).wholeSeconds + seconds), like: like)
  }
}

extension RecurrenceRule {
  /// The rule after one occurrence moved from a day to another, so that all occurrences move along.
  ///
  /// Weekdays rotate by the same number of days. A single day of the month, or day and month of the year,
  /// becomes the new one. Everything else stays: ordinals, last days of months, positions, several days of
  /// months.
  func moved(from old: CivilDay, to new: CivilDay) -> RecurrenceRule {
    let days = new.dayNumber - old.dayNumber
    guard days != 0, bySetPosition.isEmpty, byYearDay.isEmpty, byWeekNumber.isEmpty else { return self }
    let (_, oldMonth, oldDay) = old.components
    let (_, newMonth, newDay) = new.components
    var rule = self
    if byMonthDay.isEmpty, byDay.allSatisfy({ $0.ordinal == 0 }) {
      rule.byDay = byDay.map { WeekdayNumber($0.weekday.adding(days: days)) }
      // The days of every second week must stay in the same week.
      if frequency == .weekly, interval > 1, byDay.count > 1 {
        rule.weekStart = (weekStart ?? .monday).adding(days: days)
      }
    } else if byMonthDay == [oldDay], byDay.isEmpty, byMonth.isEmpty || byMonth == [oldMonth] {
      rule.byMonthDay = [newDay]
      if !byMonth.isEmpty { rule.byMonth = [newMonth] }
    }
    return rule
  }
}

extension RecurrenceRule {
  /// Makes the rule independent of the start at `anchor`: it adds the parts that came from there. An interval
  /// still counts from the new start.
  func withExplicitParts(from anchor: CalendarTime?, for start: CalendarTime) -> RecurrenceRule {
    guard let anchor else { return self }
    var rule = self
    let (_, month, day) = anchor.day.components
    let namesDay = !byDay.isEmpty || !byMonthDay.isEmpty || !byYearDay.isEmpty
    switch frequency {
    case .weekly where byDay.isEmpty: rule.byDay = [WeekdayNumber(anchor.day.weekday)]
    case .monthly where !namesDay && byWeekNumber.isEmpty: rule.byMonthDay = [day]
    case .yearly where !namesDay && !byWeekNumber.isEmpty: rule.byDay = [WeekdayNumber(anchor.day.weekday)]
    case .yearly where !namesDay:
      rule.byMonthDay = [day]
      if byMonth.isEmpty { rule.byMonth = [month] }
    default: break
    }
    let (old, new) = (anchor.civil.secondOfDay, start.civil.secondOfDay)
    guard !anchor.isDate else { return rule }
    if frequency > .hourly, byHour.isEmpty, old / 3600 != new / 3600 { rule.byHour = [old / 3600] }
    if frequency > .minutely, byMinute.isEmpty, old / 60 % 60 != new / 60 % 60 {
      rule.byMinute = [old / 60 % 60]
    }
    if frequency > .secondly, bySecond.isEmpty, old % 60 != new % 60 { rule.bySecond = [old % 60] }
    return rule
  }
}

extension Weekday {
  fileprivate func adding(days: Int) -> Weekday {
    Weekday(rawValue: Gregorian.floorMod(rawValue - 1 + days, 7) + 1) ?? self
  }
}
