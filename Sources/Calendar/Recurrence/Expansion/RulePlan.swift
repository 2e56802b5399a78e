import FencepostCalendarModel

/// A rule, prepared for expansion: its parts as bit masks and sorted lists, with missing parts taken from the
/// start (RFC 5545, section 3.3.10).
///
/// Iterators of a rule share it, so copies are cheap.
final class RulePlan: Sendable {
  /// The way to find a rule's days.
  enum Method {
    /// Units shorter than a day: step through runs of allowed units.
    case withinDay
    case days, weeks, months
    /// Years month by month.
    case yearsByMonth
    /// Whole years: day numbers, week numbers, ordinals within the year.
    case yearsByDay
  }

  let method: Method
  let interval: Int
  /// The start in wall-clock seconds since 1970-01-01T00:00:00.
  let start: Int64
  let startDay: Int
  let startYear: Int
  let startMonth: Int
  let weekStart: Int
  let skip: RecurrenceRule.Skip

  /// The allowed months, bits 1 to 12.
  let months: UInt16
  /// The days of the month, bits 1 to 31. ``monthDaysFromEnd`` counts from the end.
  let monthDays: UInt64
  let monthDaysFromEnd: UInt64
  /// ``monthDaysFromEnd`` with bit `n` at position 63 - `n`. A shift turns it into days of a month.
  let monthDaysMirrored: UInt64
  let hasMonthDays: Bool
  /// Weekdays without an ordinal, bits 0 (Sunday) to 6.
  let weekdays: UInt64
  /// Weekdays with an ordinal.
  let ordinals: [(weekday: Int, ordinal: Int)]
  let hasWeekdays: Bool
  let yearDays: [Int]
  let weekNumbers: [Int]
  let setPositions: [Int]
  /// Whether the rule does not allow every day (for the methods that step through days).
  let limitsDays: Bool

  /// The seconds of the day, for daily and longer rules.
  let times: [Int64]

  /// The seconds in a unit and the units in a day, for rules within the day.
  let unitSeconds: Int
  let unitsPerDay: Int
  /// The hours, minutes and seconds that limit the rule's units.
  let clock: ClockMask
  /// The seconds of the occurrences within a unit.
  let unitOffsets: [Int64]

  /// The periods in a calendar cycle. After that many periods without an occurrence there will never be one.
  let cyclePeriods: Int
  /// False if no unit can ever match the clock limits.
  let isPossible: Bool

  init(_ rule: RecurrenceRule, start: CivilDateTime) {
    let startSeconds = ZoneRules.localSeconds(start)
    self.start = startSeconds
    startDay = Gregorian.floorDiv(Int(startSeconds), 86_400)
    let secondOfDay = Gregorian.floorMod(Int(startSeconds), 86_400)
    let (year, month, day) = CivilDay(dayNumber: startDay).components
    startYear = year
    startMonth = month
    // A longer interval never occurs a second time before the year 9999.
    interval = min(max(rule.interval, 1), 1 << 40)
    weekStart = (rule.weekStart ?? .monday).rawValue - 1
    skip = rule.skip

    let frequency = rule.frequency
    weekNumbers = Self.sorted(rule.byWeekNumber) { (1...53).contains(abs($0)) }
    yearDays = Self.sorted(rule.byYearDay) { (1...366).contains(abs($0)) }
    setPositions = Self.sorted(rule.bySetPosition) { $0 != 0 }

    // Ordinals only make sense in months and years, and not with week numbers.
    let hasOrdinals = frequency >= .monthly && !(frequency == .yearly && !weekNumbers.isEmpty)
    var weekdays: UInt64 = 0
    var ordinals: [(weekday: Int, ordinal: Int)] = []
    for entry in rule.byDay {
      let index = entry.weekday.rawValue - 1
      if hasOrdinals && entry.ordinal != 0 {
        ordinals.append((index, min(max(entry.ordinal, -60), 60)))
      } else {
        weekdays |= 1 << UInt64(index)
      }
    }
    var monthDays: UInt64 = 0
    var fromEnd: UInt64 = 0
    for entry in rule.byMonthDay where (1...31).contains(abs(entry)) {
      if entry > 0 { monthDays |= 1 << UInt64(entry) } else { fromEnd |= 1 << UInt64(-entry) }
    }
    var months: UInt16 = 0
    for entry in rule.byMonth where (1...12).contains(entry) { months |= 1 << UInt16(entry) }

    // The start supplies the missing parts.
    let namesDay = !rule.byDay.isEmpty || !rule.byMonthDay.isEmpty || !yearDays.isEmpty
    let startWeekday = UInt64(1) << UInt64(Gregorian.weekday(startDay))
    switch frequency {
    case .weekly where rule.byDay.isEmpty: weekdays = startWeekday
    case .monthly where !namesDay && weekNumbers.isEmpty: monthDays = 1 << UInt64(day)
    case .yearly where !namesDay:
      if !weekNumbers.isEmpty {
        weekdays = startWeekday
      } else {
        if months == 0 { months = 1 << UInt16(month) }
        monthDays = 1 << UInt64(day)
      }
    default: break
    }
    if months == 0 { months = 0x1FFE }
    self.months = months
    self.monthDays = monthDays
    monthDaysFromEnd = fromEnd
    monthDaysMirrored =
      fromEnd == 0 ? 0 : (1...31).reduce(0) { $0 | (fromEnd >> UInt64($1) & 1) << UInt64(63 - $1) }
    hasMonthDays = monthDays | fromEnd != 0
    self.weekdays = weekdays
    self.ordinals = ordinals
    hasWeekdays = weekdays != 0 || !ordinals.isEmpty
    limitsDays =
      months != 0x1FFE || hasMonthDays || !yearDays.isEmpty || !weekNumbers.isEmpty
      || (hasWeekdays && frequency != .weekly)

    switch frequency {
    case .secondly, .minutely, .hourly: method = .withinDay
    case .daily: method = .days
    case .weekly: method = .weeks
    case .monthly: method = .months
    case .yearly:
      let isByMonth =
        yearDays.isEmpty && weekNumbers.isEmpty && (ordinals.isEmpty || !rule.byMonth.isEmpty)
      method = isByMonth ? .yearsByMonth : .yearsByDay
    }

    let hour = secondOfDay / 3600
    let minute = secondOfDay / 60 % 60
    let second = secondOfDay % 60
    let clock = ClockMask(rule)
    self.clock = clock
    func hours() -> [Int] { frequency > .hourly && rule.byHour.isEmpty ? [hour] : clock.hourList }
    func minutes() -> [Int] { frequency > .minutely && rule.byMinute.isEmpty ? [minute] : clock.minuteList }
    func seconds() -> [Int] { frequency > .secondly && rule.bySecond.isEmpty ? [second] : clock.secondList }
    switch frequency {
    case .secondly:
      (unitSeconds, unitsPerDay) = (1, 86_400)
      unitOffsets = Self.select(setPositions, of: [0])
      times = []
    case .minutely:
      (unitSeconds, unitsPerDay) = (60, 1440)
      unitOffsets = Self.select(setPositions, of: seconds().map(Int64.init))
      times = []
    case .hourly:
      (unitSeconds, unitsPerDay) = (3600, 24)
      unitOffsets = Self.select(
        setPositions, of: minutes().flatMap { minute in seconds().map { Int64(minute * 60 + $0) } })
      times = []
    default:
      (unitSeconds, unitsPerDay) = (86_400, 1)
      unitOffsets = []
      let all =
        rule.byHour.isEmpty && rule.byMinute.isEmpty && rule.bySecond.isEmpty
        ? [Int64(secondOfDay)]
        : hours().flatMap { hour in
          minutes().flatMap { minute in seconds().map { Int64(hour * 3600 + minute * 60 + $0) } }
        }
      // A daily rule's set is one day, so one selection of positions serves all days.
      times = frequency == .daily ? Self.select(setPositions, of: all) : all
    }

    let cycle =
      switch frequency {
      case .yearly: 400
      case .monthly: 4800
      case .weekly: Gregorian.cycleDays / 7
      default: Gregorian.cycleDays * unitsPerDay
      }
    cyclePeriods = cycle / Gregorian.gcd(cycle, interval)
    isPossible =
      method != .withinDay
      || (!unitOffsets.isEmpty
        && clock.allowsAny(
          of: Gregorian.floorMod(Gregorian.floorDiv(secondOfDay, unitSeconds), unitsPerDay),
          every: Gregorian.gcd(interval, unitsPerDay), unitSeconds: unitSeconds))
  }

  /// The values that `belong`, sorted and without duplicates.
  private static func sorted(_ values: [Int], where belong: (Int) -> Bool) -> [Int] {
    values.isEmpty ? [] : Set(values.filter(belong)).sorted()
  }

  /// The entries of `list` at `positions`; all entries if there are no positions.
  static func select(_ positions: [Int], of list: [Int64]) -> [Int64] {
    guard !positions.isEmpty else { return list }
    return indices(positions, count: list.count).map { list[$0] }
  }

  /// The sorted indices of `positions` in a list of `count` entries (BYSETPOS).
  static func indices(_ positions: [Int], count: Int) -> [Int] {
    var found: [Int] = []
    for position in positions {
      let index = position > 0 ? position - 1 : count + position
      if index >= 0 && index < count { found.append(index) }
    }
    return positions.count == 1 ? found : Set(found).sorted()
  }
}

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
