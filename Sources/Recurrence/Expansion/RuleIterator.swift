public import CalendarModel

/// Walks the occurrences of a ``RuleExpansion`` in order, period by period, and jumps ahead by arithmetic.
public struct RuleIterator: IteratorProtocol, Sendable {
  let plan: RulePlan
  private let limit: Int64
  /// How many occurrences are still to come; `Int.max` where they are not counted.
  private var remaining: Int
  /// Occurrences that were found and not handed out yet.
  private var buffer: [Int64] = []
  private var index = 0
  /// The latest occurrence so far: what comes again is passed over.
  private var last: Int64
  /// Occurrences before this one count, but are not handed out.
  private var floor = Int64.min
  /// The next period to look at: a multiple of the interval since the start's; for units within the day the
  /// unit's own number since 1970.
  private var period: Int
  private let firstPeriod: Int
  /// For how many periods there was no occurrence.
  private var barren = 0
  private var isFinished = false
  /// The days of the period being looked at.
  private var days: [Int] = []
  /// The month that was last asked about.
  private var month = MonthDays()

  private struct MonthDays {
    var first = 0
    var length = 0
    var mask: UInt64 = 0
  }

  init(_ expansion: RuleExpansion) {
    plan = expansion.plan
    limit = expansion.limit
    remaining = expansion.count ?? .max
    period = plan.method == .withinDay ? Gregorian.floorDiv(Int(plan.start), plan.unitSeconds) : 0
    firstPeriod = period
    switch expansion.startPolicy {
    case .always:
      last = plan.start - 1
      buffer.append(plan.start)
    case .matching:
      last = plan.start - 1
    }
    let isOutOfRange = plan.startDay < Gregorian.firstDay || plan.startDay > Gregorian.lastDay
    if isOutOfRange || !plan.isPossible { period = .max }
  }

  /// The next occurrence; `nil` when there is none.
  public mutating func next() -> CivilDateTime? {
    nextLocal().map { CivilDateTime(secondsSinceEpoch: $0) }
  }

  /// The next occurrence in wall-clock seconds since 1970-01-01T00:00:00.
  @inline(__always)
  mutating func nextLocal() -> Int64? {
    while true {
      while index < buffer.count {
        let value = buffer[index]
        index += 1
        if value <= last { continue }
        guard value <= limit, remaining > 0 else {
          finish()
          return nil
        }
        remaining -= 1
        last = value
        if value >= floor { return value }
      }
      if isFinished || remaining == 0 || !refill() { return nil }
    }
  }

  private mutating func finish() {
    isFinished = true
    buffer.removeAll(keepingCapacity: true)
    index = 0
    period = .max
  }

  // MARK: Filling

  /// Looks at periods until one has an occurrence; false when none ever will.
  private mutating func refill() -> Bool {
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
    while barren <= plan.cyclePeriods {
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
        barren = 0
        return true
      }
      barren += 1
    }
    return false
  }

  /// Puts the allowed days of the period into `days`; false past the year 9999.
  @inline(__always)
  private mutating func findDays() -> Bool {
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

  /// A day that SKIP moved into the next month may be one that the next month has too.
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
    // Several days at once, where a day has little.
    let batch = plan.times.count < 8 ? 8 : 1
    var taken = 0
    while taken < batch, let day = nextDay() {
      for time in plan.times { buffer.append(Int64(day) &* 86_400 &+ time) }
      taken += 1
    }
    return taken > 0
  }

  /// The next allowed day that is a multiple of the interval after the start.
  private mutating func nextDay() -> Int? {
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

  /// The first day not before `day` that the limits allow, whatever the interval; `nil` past the year 9999.
  private mutating func nextAllowedDay(from day: Int) -> Int? {
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

  // MARK: Units within the day

  private mutating func fillWithinDay() -> Bool {
    guard let stretch = nextStretch() else { return false }
    let batch = Swift.min(stretch, Swift.max(1, 64 / plan.unitOffsets.count))
    for _ in 0..<batch {
      let start = Int64(period) &* Int64(plan.unitSeconds)
      for offset in plan.unitOffsets { buffer.append(start &+ offset) }
      period += plan.interval
    }
    return true
  }

  /// Moves `period` to the next allowed unit and returns how many units are allowed in a row from there.
  private mutating func nextStretch() -> Int? {
    let perDay = plan.unitsPerDay
    let cycle = plan.cyclePeriods.multipliedReportingOverflow(by: plan.interval)
    let end = period.addingReportingOverflow(cycle.partialValue)
    let bound = cycle.overflow || end.overflow ? Int.max : end.partialValue
    while period <= bound {
      let day = Gregorian.floorDiv(period, perDay)
      guard day <= Gregorian.lastDay else { return nil }
      if plan.limitsDays {
        guard let allowed = nextAllowedDay(from: day) else { return nil }
        if allowed > day {
          advance(to: allowed * perDay)
          continue
        }
      }
      let unit = period - day * perDay
      if plan.clock.isFull {
        return (perDay - unit + plan.interval - 1) / plan.interval
      }
      guard let next = plan.clock.next(unit, unitSeconds: plan.unitSeconds) else {
        advance(to: (day + 1) * perDay)
        continue
      }
      if next == unit {
        let end = plan.clock.end(unit, unitSeconds: plan.unitSeconds)
        return (end - unit + plan.interval - 1) / plan.interval
      }
      advance(to: day * perDay + next)
    }
    return nil
  }

  /// Moves `period` to the first unit of the rule not before `unit`.
  @inline(__always)
  private mutating func advance(to unit: Int) {
    guard unit > period else { return }
    period += (unit - period + plan.interval - 1) / plan.interval * plan.interval
  }
}

extension RuleIterator {
  // MARK: Jumping

  /// Passes over the occurrences before `target` wall-clock seconds.
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
      // What is left out is before the target; SKIP may have moved a day out of the period before it.
      period = reached
      barren = 0
    } else {
      count(upTo: reached)
    }
  }

  /// The period that holds `target`, one less where days may be moved from it.
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

  /// Counts the occurrences before the floor, by arithmetic up to the period `reached`; the last of them
  /// may be left to be walked.
  private mutating func count(upTo reached: Int) {
    guard countFound() else { return }
    if plan.skip != .omit { return }
    if period == firstPeriod {
      // The start's own period may begin before the start.
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
      while period < reached, !isFinished, barren <= plan.cyclePeriods {
        guard findDays() else { return finish() }
        period += 1
        let all = days.count * plan.times.count
        let found =
          plan.setPositions.isEmpty ? all : RulePlan.indices(plan.setPositions, count: all).count
        barren = found == 0 ? barren + 1 : 0
        consume(found, times: 1)
      }
    }
  }

  /// Counts the occurrences that were found already, up to the floor; false where that is reached.
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

  /// Counts `each` occurrences `times` times. All of them come before the floor, so where they use up the
  /// count there is nothing left to give.
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
        // One too far: it is to be found again.
        period -= 1
        return
      }
      consume(plan.times.count, times: 1)
    }
  }

  private mutating func countUnits(upTo reached: Int) {
    while period < reached, !isFinished {
      guard let stretch = nextStretch() else { return finish() }
      guard period < reached else { return }
      let wanted = (reached - period + plan.interval - 1) / plan.interval
      let isUnlimited = plan.clock.isFull && !plan.limitsDays
      let units = isUnlimited ? wanted : Swift.min(stretch, wanted)
      consume(plan.unitOffsets.count, times: units)
      if !isFinished { period += units * plan.interval }
    }
  }

  /// Goes to the last periods of a counted rule, where arithmetic knows them.
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
