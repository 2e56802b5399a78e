import FencepostCalendarModel

/// The number of occurrences in a period, for rules with the same number in each.
extension RulePlan {
  /// The number of occurrences in every period; `nil` if periods differ.
  var occurrencesPerPeriod: Int? {
    guard skip == .omit, yearDays.isEmpty, weekNumbers.isEmpty else { return nil }
    let days: Int
    switch method {
    case .withinDay, .yearsByDay: return nil
    case .days:
      guard !limitsDays else { return nil }
      return times.count
    case .weeks:
      guard !limitsDays else { return nil }
      days = weekdays.nonzeroBitCount
    case .months:
      guard months == 0x1FFE, let perMonth = daysPerMonth else { return nil }
      days = perMonth
    case .yearsByMonth:
      guard let perMonth = daysPerMonth else { return nil }
      days = perMonth * months.nonzeroBitCount
    }
    let all = days * times.count
    return setPositions.isEmpty ? all : Self.indices(setPositions, count: all).count
  }

  /// The number of allowed days in every month; `nil` if months differ.
  private var daysPerMonth: Int? {
    switch (hasMonthDays, hasWeekdays) {
    case (true, false):
      // Only days that every month has. They count from one end only, so that no day counts twice.
      let everywhere: UInt64 = 1 << 29 - 1
      guard (monthDays == 0) != (monthDaysFromEnd == 0) else { return nil }
      guard (monthDays | monthDaysFromEnd) & ~everywhere == 0 else { return nil }
      return (monthDays | monthDaysFromEnd).nonzeroBitCount
    case (false, true):
      guard weekdays == 0,
        ordinals.allSatisfy({ (1...4).contains($0.ordinal) })
          || ordinals.allSatisfy({ (-4 ... -1).contains($0.ordinal) })
      else { return nil }
      return Set(ordinals.map { $0.weekday * 8 + abs($0.ordinal) }).count
    default: return nil
    }
  }

  /// The number of units `first`, `first + interval`, … before `end` of a day that the clock allows.
  func units(from first: Int, before end: Int) -> Int {
    func steps(_ units: Int) -> Int { (units + interval - 1) / interval }
    var unit = first
    var found = 0
    while unit < end {
      guard !clock.isFull else { return found + steps(end - unit) }
      guard let next = clock.next(unit, unitSeconds: unitSeconds), next < end else { return found }
      if next > unit {
        unit += steps(next - unit) * interval
      } else {
        let allowed = steps(min(clock.end(unit, unitSeconds: unitSeconds), end) - unit)
        found += allowed
        unit += allowed * interval
      }
    }
    return found
  }

  /// The first wall-clock second of the period `number` intervals after the start's; `nil` after the year
  /// 9999.
  func start(ofPeriod number: Int) -> Int64? {
    let day: Int
    switch method {
    case .withinDay: return nil
    case .days: day = startDay + number * interval
    case .weeks:
      day = startDay - Gregorian.floorMod(Gregorian.weekday(startDay) - weekStart, 7) + number * interval * 7
    case .months:
      let month = startYear * 12 + startMonth - 1 + number * interval
      guard month / 12 <= 9999 else { return nil }
      day = CivilDay(year: month / 12, month: month % 12 + 1, day: 1).dayNumber
    case .yearsByMonth, .yearsByDay:
      let year = startYear + number * interval
      guard year <= 9999 else { return nil }
      day = CivilDay(year: year, month: 1, day: 1).dayNumber
    }
    return day <= Gregorian.lastDay ? Int64(day) * 86_400 : nil
  }
}
