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
    (startYear, startMonth, _) = CivilDay(dayNumber: startDay).components
    // A longer interval never occurs a second time before the year 9999.
    interval = min(max(rule.interval, 1), 1 << 40)
    weekStart = (rule.weekStart ?? .monday).rawValue - 1
    skip = rule.skip

    let frequency = rule.frequency
    weekNumbers = Self.sorted(rule.byWeekNumber) { (1...53).contains(abs($0)) }
    yearDays = Self.sorted(rule.byYearDay) { (1...366).contains(abs($0)) }
    setPositions = Self.sorted(rule.bySetPosition) { $0 != 0 }

    let days = DayParts(rule, yearDays: yearDays, weekNumbers: weekNumbers, startDay: startDay)
    months = days.months
    monthDays = days.monthDays
    monthDaysFromEnd = days.monthDaysFromEnd
    let fromEnd = days.monthDaysFromEnd
    monthDaysMirrored =
      fromEnd == 0 ? 0 : (1...31).reduce(0) { $0 | (fromEnd >> UInt64($1) & 1) << UInt64(63 - $1) }
    hasMonthDays = monthDays | fromEnd != 0
    weekdays = days.weekdays
    ordinals = days.ordinals
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

    let clock = ClockMask(rule)
    self.clock = clock
    let units = UnitTimes(rule, clock, setPositions, startingAt: secondOfDay)
    unitSeconds = units.seconds
    unitsPerDay = 86_400 / units.seconds
    unitOffsets = units.offsets
    times = units.times

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

/// The days that a rule names, in bits as in ``RulePlan``. The start supplies what it does not name.
private struct DayParts {
  var months: UInt16 = 0
  var monthDays: UInt64 = 0
  var monthDaysFromEnd: UInt64 = 0
  var weekdays: UInt64 = 0
  var ordinals: [(weekday: Int, ordinal: Int)] = []

  init(_ rule: RecurrenceRule, yearDays: [Int], weekNumbers: [Int], startDay: Int) {
    // Ordinals only make sense in months and years, and not with week numbers.
    let hasOrdinals =
      rule.frequency >= .monthly && !(rule.frequency == .yearly && !weekNumbers.isEmpty)
    for entry in rule.byDay {
      let index = entry.weekday.rawValue - 1
      if hasOrdinals && entry.ordinal != 0 {
        ordinals.append((index, min(max(entry.ordinal, -60), 60)))
      } else {
        weekdays |= 1 << UInt64(index)
      }
    }
    for entry in rule.byMonthDay where (1...31).contains(abs(entry)) {
      if entry > 0 { monthDays |= 1 << UInt64(entry) } else { monthDaysFromEnd |= 1 << UInt64(-entry) }
    }
    for entry in rule.byMonth where (1...12).contains(entry) { months |= 1 << UInt16(entry) }

    let (_, month, day) = CivilDay(dayNumber: startDay).components
    let namesDay = !rule.byDay.isEmpty || !rule.byMonthDay.isEmpty || !yearDays.isEmpty
    let startWeekday = UInt64(1) << UInt64(Gregorian.weekday(startDay))
    switch rule.frequency {
    case .weekly where rule.byDay.isEmpty: weekdays = startWeekday
    case .monthly where !namesDay && weekNumbers.isEmpty: monthDays = 1 << UInt64(day)
    case .yearly where !namesDay && !weekNumbers.isEmpty: weekdays = startWeekday
    case .yearly where !namesDay:
      if months == 0 { months = 1 << UInt16(month) }
      monthDays = 1 << UInt64(day)
    default: break
    }
    if months == 0 { months = 0x1FFE }
  }
}

/// The units through which a rule steps within a day, and the times of its occurrences.
private struct UnitTimes {
  /// The seconds in a unit; those of a day for daily and longer rules.
  var seconds: Int
  /// The seconds of the occurrences within a unit, for rules within the day.
  var offsets: [Int64] = []
  /// The seconds of the day, for daily and longer rules.
  var times: [Int64] = []

  init(_ rule: RecurrenceRule, _ clock: ClockMask, _ setPositions: [Int], startingAt secondOfDay: Int) {
    let (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
    let frequency = rule.frequency
    func hours() -> [Int] { frequency > .hourly && rule.byHour.isEmpty ? [hour] : clock.hourList }
    func minutes() -> [Int] { frequency > .minutely && rule.byMinute.isEmpty ? [minute] : clock.minuteList }
    func seconds() -> [Int] { frequency > .secondly && rule.bySecond.isEmpty ? [second] : clock.secondList }
    switch frequency {
    case .secondly:
      self.seconds = 1
      offsets = RulePlan.select(setPositions, of: [0])
    case .minutely:
      self.seconds = 60
      offsets = RulePlan.select(setPositions, of: seconds().map(Int64.init))
    case .hourly:
      self.seconds = 3600
      offsets = RulePlan.select(
        setPositions, of: minutes().flatMap { minute in seconds().map { Int64(minute * 60 + $0) } })
    default:
      self.seconds = 86_400
      let all =
        rule.byHour.isEmpty && rule.byMinute.isEmpty && rule.bySecond.isEmpty
        ? [Int64(secondOfDay)]
        : hours().flatMap { hour in
          minutes().flatMap { minute in seconds().map { Int64(hour * 3600 + minute * 60 + $0) } }
        }
      // A daily rule's set is one day, so one selection of positions serves all days.
      times = frequency == .daily ? RulePlan.select(setPositions, of: all) : all
    }
  }
}
