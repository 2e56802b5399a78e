import CalendarModel

extension RecurrenceRule {
  /// This rule for a series of which an occurrence was moved from one day to another, so that all go along.
  ///
  /// Weekdays are turned by as many days, and a day of the month, or of a month of the year, becomes the new one. What
  /// says more than a day stays as it was said: ordinals, the last days of months, positions, several days of months.
  func moved(from old: CivilDay, to new: CivilDay) -> RecurrenceRule {
    let days = new.dayNumber - old.dayNumber
    guard days != 0, bySetPosition.isEmpty, byYearDay.isEmpty, byWeekNumber.isEmpty else { return self }
    let (_, oldMonth, oldDay) = old.components
    let (_, newMonth, newDay) = new.components
    var rule = self
    if byMonthDay.isEmpty, byDay.allSatisfy({ $0.ordinal == 0 }) {
      rule.byDay = byDay.map { WeekdayNumber($0.weekday.adding(days: days)) }
      // The days of every second week are still those of one week.
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

extension Weekday {
  fileprivate func adding(days: Int) -> Weekday {
    Weekday(rawValue: Gregorian.floorMod(rawValue - 1 + days, 7) + 1) ?? self
  }
}
