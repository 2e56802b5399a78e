import FencepostCalendarModel

/// Skipping occurrences by arithmetic.
extension RuleIterator {
  /// Skips the occurrences before `target` wall-clock seconds.
  mutating func skip(toLocal target: Int64) {
    guard target > floor, target > last, !isFinished else { return }
    floor = target
    if target > limit { return finish() }
    guard period != .max else { return }
    let reached = periods(before: target)
    guard reached > period else { return }
    if remaining == .max {
      buffer.removeAll(keepingCapacity: true)
      index = 0
      // The skipped part is before the target. SKIP may have moved a day out of the period before it.
      period = reached
      emptyPeriods = 0
    } else {
      count(upTo: reached)
    }
  }

  /// The period that contains `target`, minus one if SKIP may move days out of it.
  private func periods(before target: Int64) -> Int {
    let target = Swift.min(target, limit)
    let day = Gregorian.floorDiv(Int(target), 86_400)
    let distance: Int
    switch plan.method {
    case .withinDay:
      let unit = Gregorian.floorDiv(Int(target), plan.unitSeconds)
      guard unit > period else { return period }
      return period + (unit - period) / plan.interval * plan.interval
    case .days: distance = day - plan.startDay
    case .weeks:
      distance =
        (day - plan.startDay + Gregorian.floorMod(Gregorian.weekday(plan.startDay) - plan.weekStart, 7)) / 7
    case .months:
      let (year, month, _) = CivilDay(dayNumber: day).components
      distance = (year - plan.startYear) * 12 + month - plan.startMonth
    case .yearsByMonth, .yearsByDay:
      distance = CivilDay(dayNumber: day).components.year - plan.startYear
    }
    return distance / plan.interval - (plan.skip == .omit ? 0 : 1)
  }

  /// Counts the occurrences before the floor, by arithmetic up to the period `reached`. The last ones may
  /// remain for normal iteration.
  private mutating func count(upTo reached: Int) {
    guard countFound() else { return }
    if period == firstPeriod {
      // The period of the start may begin before the start.
      guard refill(), countFound() else { return }
    }
    guard reached > period, remaining > 0, !isFinished else { return }
    if let each = plan.occurrencesPerPeriod {
      consume(each, times: reached - period)
      period = isFinished ? .max : reached
      return
    }
    switch plan.method {
    case .days: countDays(upTo: reached)
    case .withinDay: countUnits(upTo: reached)
    default:
      while period < reached, !isFinished, emptyPeriods <= plan.cyclePeriods {
        guard findDays() else { return finish() }
        period += 1
        let found = occurrencesOfDays()
        emptyPeriods = found == 0 ? emptyPeriods + 1 : 0
        consume(found, times: 1)
      }
    }
  }

  /// Counts the buffered occurrences up to the floor; false when it reaches the floor.
  private mutating func countFound() -> Bool {
    while index < buffer.count, remaining > 0 {
      let value = buffer[index]
      if value >= floor { return false }
      index += 1
      if value > last {
        last = value
        remaining -= 1
      }
    }
    return true
  }

  /// Counts `times` times `each` occurrences. All are before the floor, so if they use up COUNT, the
  /// iteration ends.
  private mutating func consume(_ each: Int, times: Int) {
    let (total, overflow) = each.multipliedReportingOverflow(by: times)
    if overflow || total >= remaining {
      finish()
    } else {
      remaining -= total
    }
  }

  private mutating func countDays(upTo reached: Int) {
    while !isFinished {
      guard nextDay() != nil else { return finish() }
      if period > reached {
        // One too far. The iteration finds it again.
        period -= 1
        return
      }
      consume(plan.times.count, times: 1)
    }
  }

  /// The number of occurrences on the found days, without those that SKIP already moved there.
  private mutating func occurrencesOfDays() -> Int {
    let times = plan.times.count
    let all = days.count * times
    if plan.skip == .omit {
      return plan.setPositions.isEmpty ? all : RulePlan.indices(plan.setPositions, count: all).count
    }
    guard let lastTime = plan.times.last else { return 0 }
    if plan.setPositions.isEmpty {
      let done = last
      days.removeAll { Int64($0) * 86_400 + lastTime <= done }
      if let day = days.last { last = Int64(day) * 86_400 + lastTime }
      return days.count * times
    }
    var found = 0
    for index in RulePlan.indices(plan.setPositions, count: all) {
      let value = Int64(days[index / times]) * 86_400 + plan.times[index % times]
      guard value > last else { continue }
      last = value
      found += 1
    }
    return found
  }

  /// Counts units day by day. If all days are allowed, it counts in cycles: the time after which interval and
  /// day align again.
  private mutating func countUnits(upTo reached: Int) {
    let cycle = plan.interval / Gregorian.gcd(plan.interval, plan.unitsPerDay) * plan.unitsPerDay
    if !plan.limitsDays, (reached - period) / cycle > 1 {
      let before = remaining
      countDaysOfUnits(upTo: period + cycle)
      guard !isFinished, period < reached else { return }
      let cycles = (reached - period) / cycle
      consume(before - remaining, times: cycles)
      if isFinished { return }
      period += cycles * cycle
    }
    countDaysOfUnits(upTo: reached)
  }

  private mutating func countDaysOfUnits(upTo reached: Int) {
    let perDay = plan.unitsPerDay
    // The occurrences of a day depend only on the offset of its first unit. There are at most `interval`
    // offsets, and a longer interval means fewer units a day, so counting each offset once costs at most a
    // day's work.
    var counts: [Int: Int] = [:]
    while period < reached, !isFinished {
      let day = Gregorian.floorDiv(period, perDay)
      guard day <= Gregorian.lastDay else { return finish() }
      if plan.limitsDays {
        guard let allowed = nextAllowedDay(from: day) else { return finish() }
        if allowed > day {
          advance(to: allowed * perDay)
          continue
        }
      }
      let first = period - day * perDay
      if first < plan.interval, (day + 1) * perDay <= reached {
        let units = counts[first] ?? plan.units(from: first, before: perDay)
        counts[first] = units
        consume(plan.unitOffsets.count, times: units)
      } else {
        let units = plan.units(from: first, before: Swift.min(perDay, reached - day * perDay))
        consume(plan.unitOffsets.count, times: units)
      }
      if isFinished { return }
      advance(to: Swift.min((day + 1) * perDay, reached))
    }
  }

  /// Jumps to the last periods of a rule with COUNT, if arithmetic can find them.
  mutating func skipToLastPeriods() {
    guard remaining != .max, plan.skip == .omit, let each = plan.occurrencesPerPeriod, each > 0 else {
      return
    }
    let periods = remaining / each - 2
    guard periods > 2, periods < 4_000_000, !periods.multipliedReportingOverflow(by: plan.interval).overflow,
      let target = plan.start(ofPeriod: periods)
    else { return }
    skip(toLocal: target)
  }
}
