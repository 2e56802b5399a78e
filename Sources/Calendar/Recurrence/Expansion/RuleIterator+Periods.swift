import FencepostCalendarModel

/// Finding the occurrences of the next periods.
extension RuleIterator {
  /// Searches periods until one has an occurrence; false if none ever will.
  mutating func refill() -> Bool {
    buffer.removeAll(keepingCapacity: true)
    index = 0
    if period == .max {
      finish()
      return false
    }
    let found =
      switch plan.method {
      case .withinDay: fillWithinDay()
      case .days: fillDays()
      case .weeks, .months, .yearsByMonth, .yearsByDay: fillPeriods()
      }
    if !found { finish() }
    return found
  }

  private mutating func fillPeriods() -> Bool {
    while emptyPeriods <= plan.cyclePeriods {
      guard findDays() else { return false }
      period += 1
      if plan.setPositions.isEmpty {
        if plan.times.count == 1 {
          let time = plan.times[0]
          for day in days { buffer.append(Int64(day) &* 86_400 &+ time) }
        } else {
          for day in days {
            for time in plan.times { buffer.append(Int64(day) &* 86_400 &+ time) }
          }
        }
      } else {
        let times = plan.times.count
        for index in RulePlan.indices(plan.setPositions, count: days.count * times) {
          buffer.append(Int64(days[index / times]) * 86_400 + plan.times[index % times])
        }
      }
      if !buffer.isEmpty {
        emptyPeriods = 0
        return true
      }
      emptyPeriods += 1
    }
    return false
  }

  /// Stores the allowed days of the period in `days`; false after the year 9999.
  @inline(__always)
  mutating func findDays() -> Bool {
    days.removeAll(keepingCapacity: true)
    switch plan.method {
    case .weeks:
      let start = plan.startDay - Gregorian.floorMod(Gregorian.weekday(plan.startDay) - plan.weekStart, 7)
      let week = start + period * plan.interval * 7
      guard week <= Gregorian.lastDay else { return false }
      let turned = (plan.weekdays >> UInt64(plan.weekStart)) | (plan.weekdays << UInt64(7 - plan.weekStart))
      var bits = turned & 0x7F
      while bits != 0 {
        let day = week + bits.trailingZeroBitCount
        bits &= bits - 1
        if !plan.limitsDays || allows(day) { days.append(day) }
      }
    case .months:
      let number = plan.startYear * 12 + plan.startMonth - 1 + period * plan.interval
      let year = number / 12
      guard year <= 9999 else { return false }
      appendDays(year: year, month: number - year * 12 + 1)
    case .yearsByMonth:
      let year = plan.startYear + period * plan.interval
      guard year <= 9999 else { return false }
      var bits = plan.months
      while bits != 0 {
        appendDays(year: year, month: bits.trailingZeroBitCount)
        bits &= bits - 1
      }
      if plan.skip != .omit { removeRepeatedDays() }
    case .yearsByDay:
      let year = plan.startYear + period * plan.interval
      guard year <= 9999 else { return false }
      plan.fill(&days, year: year)
    case .days, .withinDay: return false
    }
    return true
  }

  @inline(__always)
  private mutating func appendDays(year: Int, month: Int) {
    let first = CivilDay(year: year, month: month, day: 1).dayNumber
    let length = CivilDay.daysInMonth(month, ofYear: year)
    var bits = plan.mask(year: year, month: month, first: first, length: length)
    while bits != 0 {
      days.append(first - 1 + bits.trailingZeroBitCount)
      bits &= bits - 1
    }
  }

  /// Removes duplicates. SKIP can move a day into the next month that also has it.
  private mutating func removeRepeatedDays() {
    days.sort()
    var kept = 0
    for index in days.indices where kept == 0 || days[index] != days[kept - 1] {
      days[kept] = days[index]
      kept += 1
    }
    days.removeLast(days.count - kept)
  }

  private mutating func fillDays() -> Bool {
    guard !plan.times.isEmpty else { return false }
    // Handle several days at once if a day has few times.
    let batch = plan.times.count < 8 ? 8 : 1
    var taken = 0
    while taken < batch, let day = nextDay() {
      for time in plan.times { buffer.append(Int64(day) &* 86_400 &+ time) }
      taken += 1
    }
    return taken > 0
  }

  /// The next allowed day at a multiple of the interval after the start.
  mutating func nextDay() -> Int? {
    let given = plan.startDay + period * plan.interval
    guard plan.limitsDays else {
      period += 1
      return given <= Gregorian.lastDay ? given : nil
    }
    var day = given
    let bound = period.addingReportingOverflow(plan.cyclePeriods)
    while day <= Gregorian.lastDay, bound.overflow || period <= bound.partialValue {
      guard let allowed = nextAllowedDay(from: day) else { return nil }
      if allowed == day {
        period += 1
        return day
      }
      period += (allowed - day + plan.interval - 1) / plan.interval
      day = plan.startDay + period * plan.interval
    }
    return nil
  }

  /// The first allowed day from `day` on, ignoring the interval; `nil` after the year 9999.
  mutating func nextAllowedDay(from day: Int) -> Int? {
    var day = day
    while day <= Gregorian.lastDay {
      load(monthOf: day)
      let rest = (month.mask & (1 << UInt64(month.length + 1) - 2)) >> UInt64(day - month.first + 1)
      if rest != 0 {
        let found = day + rest.trailingZeroBitCount
        return found <= Gregorian.lastDay ? found : nil
      }
      day = month.first + month.length
    }
    return nil
  }

  private mutating func allows(_ day: Int) -> Bool {
    load(monthOf: day)
    return month.mask & 1 << UInt64(day - month.first + 1) != 0
  }

  @inline(__always)
  private mutating func load(monthOf day: Int) {
    guard day < month.first || day >= month.first + month.length else { return }
    let (year, number, dayOfMonth) = CivilDay(dayNumber: day).components
    month.first = day - dayOfMonth + 1
    month.length = CivilDay.daysInMonth(number, ofYear: year)
    month.mask = plan.mask(year: year, month: number, first: month.first, length: month.length)
  }
}
