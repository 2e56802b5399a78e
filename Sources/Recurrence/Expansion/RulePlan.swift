import CalendarModel

/// A rule made ready for expansion: its parts as bit masks and sorted lists, what it leaves to the start
/// filled in from the start (RFC 5545, section 3.3.10).
///
/// Shared by the iterators of a rule, so that copying one is cheap.
final class RulePlan: Sendable {
  /// How a rule's days are found.
  enum Method {
    /// Units shorter than a day: stepping through allowed stretches of them.
    case withinDay
    case days, weeks, months
    /// Years as runs of months: what is asked of them can be answered month by month.
    case yearsByMonth
    /// Years as a whole: day numbers, week numbers, ordinals within the year.
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

  /// Months that are allowed, bits 1 to 12.
  let months: UInt16
  /// Days of the month, bits 1 to 31; counted from the end in ``monthDaysFromEnd``.
  let monthDays: UInt64
  let monthDaysFromEnd: UInt64
  /// ``monthDaysFromEnd`` with bit `n` in place 63 - `n`, so that a shift turns it into days of a month.
  let monthDaysMirrored: UInt64
  let hasMonthDays: Bool
  /// Weekdays without ordinal, bits 0 (Sunday) to 6.
  let weekdays: UInt64
  /// Weekdays with ordinal.
  let ordinals: [(weekday: Int, ordinal: Int)]
  let hasWeekdays: Bool
  let yearDays: [Int]
  let weekNumbers: [Int]
  let setPositions: [Int]
  /// True where not every day will do (for the methods that step through days).
  let limitsDays: Bool

  /// Seconds of the day, for rules of days and longer.
  let times: [Int64]

  /// Seconds in a unit, for rules within the day, and units in a day.
  let unitSeconds: Int
  let unitsPerDay: Int
  /// Hours, minutes and seconds that are allowed, where the rule limits its units by them.
  let clock: ClockMask
  /// Seconds into the unit at which it occurs.
  let unitOffsets: [Int64]

  /// After how many periods without an occurrence there will never be one: the periods of a calendar cycle.
  let cyclePeriods: Int
  /// False where no unit can ever meet the limits of the clock.
  let isPossible: Bool

  init(_ rule: RecurrenceRule, start: CivilDateTime) {
    let startSeconds = ZoneRules.localSeconds(start)
    self.start = startSeconds
    startDay = Gregorian.floorDiv(Int(startSeconds), 86_400)
    let secondOfDay = Gregorian.floorMod(Int(startSeconds), 86_400)
    let (year, month, day) = CivilDay(dayNumber: startDay).components
    startYear = year
    startMonth = month
    // Anything longer never comes a second time before the year 9999.
    interval = min(max(rule.interval, 1), 1 << 40)
    weekStart = (rule.weekStart ?? .monday).rawValue - 1
    skip = rule.skip

    let frequency = rule.frequency
    weekNumbers = Set(rule.byWeekNumber.filter { (1...53).contains(abs($0)) }).sorted()
    yearDays = Set(rule.byYearDay.filter { (1...366).contains(abs($0)) }).sorted()
    setPositions = Set(rule.bySetPosition.filter { $0 != 0 }).sorted()

    // Ordinals mean something in months and years only, and not beside week numbers.
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

    // What the rule leaves open, the start says.
    let saysDay = !rule.byDay.isEmpty || !rule.byMonthDay.isEmpty || !yearDays.isEmpty
    let startWeekday = UInt64(1) << UInt64(Gregorian.weekday(startDay))
    switch frequency {
    case .weekly where rule.byDay.isEmpty: weekdays = startWeekday
    case .monthly where !saysDay && weekNumbers.isEmpty: monthDays = 1 << UInt64(day)
    case .yearly where !saysDay:
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
    monthDaysMirrored = (1...31).reduce(0) { $0 | (fromEnd >> UInt64($1) & 1) << UInt64(63 - $1) }
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
    clock = ClockMask(rule)
    let hours = frequency > .hourly && rule.byHour.isEmpty ? [hour] : clock.hourList
    let minutes = frequency > .minutely && rule.byMinute.isEmpty ? [minute] : clock.minuteList
    let seconds = frequency > .secondly && rule.bySecond.isEmpty ? [second] : clock.secondList
    switch frequency {
    case .secondly:
      (unitSeconds, unitsPerDay) = (1, 86_400)
      unitOffsets = Self.select(setPositions, of: [0])
      times = []
    case .minutely:
      (unitSeconds, unitsPerDay) = (60, 1440)
      unitOffsets = Self.select(setPositions, of: seconds.map(Int64.init))
      times = []
    case .hourly:
      (unitSeconds, unitsPerDay) = (3600, 24)
      unitOffsets = Self.select(
        setPositions, of: minutes.flatMap { minute in seconds.map { Int64(minute * 60 + $0) } })
      times = []
    default:
      (unitSeconds, unitsPerDay) = (86_400, 1)
      unitOffsets = []
      let all = hours.flatMap { hour in
        minutes.flatMap { minute in seconds.map { Int64(hour * 3600 + minute * 60 + $0) } }
      }
      // A day is a daily rule's whole set, so its positions can be picked once for all days.
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

  /// The entries of `list` that `positions` names; all of them where it names none.
  static func select(_ positions: [Int], of list: [Int64]) -> [Int64] {
    guard !positions.isEmpty else { return list }
    return indices(positions, count: list.count).map { list[$0] }
  }

  /// The indices, in order, that `positions` names in a list of `count` entries (BYSETPOS).
  static func indices(_ positions: [Int], count: Int) -> [Int] {
    var found: [Int] = []
    for position in positions {
      let index = position > 0 ? position - 1 : count + position
      if index >= 0 && index < count { found.append(index) }
    }
    return positions.count == 1 ? found : Set(found).sorted()
  }
}

/// The hours, minutes and seconds that BYHOUR, BYMINUTE and BYSECOND allow; all where they say nothing.
struct ClockMask: Sendable {
  let hours: UInt64
  let minutes: UInt64
  let seconds: UInt64
  /// True where every second is allowed.
  let isFull: Bool

  private static let allHours: UInt64 = 1 << 24 - 1
  private static let allMinutes: UInt64 = 1 << 60 - 1

  init(_ rule: RecurrenceRule) {
    func mask(_ values: [Int], below limit: Int, all: UInt64) -> UInt64 {
      guard !values.isEmpty else { return all }
      return values.reduce(0) { (0..<limit).contains($1) ? $0 | 1 << UInt64($1) : $0 }
    }
    hours = mask(rule.byHour, below: 24, all: Self.allHours)
    minutes = mask(rule.byMinute, below: 60, all: Self.allMinutes)
    // The 60th second is a leap second, which clocks without them read as the 59th (RFC 5545, 3.3.12).
    seconds = mask(rule.bySecond.map { $0 == 60 ? 59 : $0 }, below: 60, all: Self.allMinutes)
    isFull = hours == Self.allHours && minutes == Self.allMinutes && seconds == Self.allMinutes
  }

  var hourList: [Int] { (0..<24).filter { hours & 1 << UInt64($0) != 0 } }
  var minuteList: [Int] { (0..<60).filter { minutes & 1 << UInt64($0) != 0 } }
  var secondList: [Int] { (0..<60).filter { seconds & 1 << UInt64($0) != 0 } }

  /// The first allowed unit of the day not before `unit`; `nil` where the day has no more.
  ///
  /// Only what is as long as a unit or longer counts: an hourly rule's minutes are not limits.
  func next(_ unit: Int, unitSeconds: Int) -> Int? {
    func from(_ mask: UInt64, _ bit: Int) -> Int? {
      let rest = bit > 63 ? 0 : mask >> UInt64(bit)
      return rest == 0 ? nil : bit + rest.trailingZeroBitCount
    }
    let second = unit * unitSeconds
    let hour = second / 3600
    guard var nextHour = from(hours, hour) else { return nil }
    if unitSeconds == 3600 { return nextHour }
    var minute = nextHour == hour ? second / 60 % 60 : 0
    let perHour = unitSeconds == 60 ? 60 : 3600
    if unitSeconds == 1 {
      var part = nextHour == hour ? second % 60 : 0
      // Within this minute, a later minute of this hour, a later hour.
      if minutes & 1 << UInt64(minute) == 0 || from(seconds, part) == nil {
        if minutes & 1 << UInt64(minute) == 0 {
          part = 0
        } else {
          minute += 1
          part = 0
        }
      }
      if let found = from(minutes, minute) {
        guard let first = from(seconds, found == minute ? part : 0) else { return nil }
        return nextHour * perHour + found * 60 + first
      }
      guard let later = from(hours, nextHour + 1), let found = from(minutes, 0), let first = from(seconds, 0)
      else { return nil }
      return later * perHour + found * 60 + first
    }
    if let found = from(minutes, minute) { return nextHour * perHour + found }
    guard let later = from(hours, nextHour + 1), let found = from(minutes, 0) else { return nil }
    nextHour = later
    return nextHour * perHour + found
  }

  /// Where the stretch of allowed units that holds the allowed `unit` ends, at the latest with the day.
  func end(_ unit: Int, unitSeconds: Int) -> Int {
    func stretch(_ mask: UInt64, _ bit: Int) -> Int { bit + (~(mask >> UInt64(bit))).trailingZeroBitCount }
    let second = unit * unitSeconds
    if unitSeconds == 1 && seconds != Self.allMinutes {
      return second / 60 * 60 + stretch(seconds, second % 60)
    }
    if unitSeconds < 3600 && minutes != Self.allMinutes {
      return (second / 3600 * 3600 + stretch(minutes, second / 60 % 60) * 60) / unitSeconds
    }
    return stretch(hours, second / 3600) * 3600 / unitSeconds
  }

  /// True where one of the units `unit`, `unit + step`, … of a day is allowed, the day taken as a circle.
  func allowsAny(of unit: Int, every step: Int, unitSeconds: Int) -> Bool {
    if isFull { return true }
    let perDay = 86_400 / unitSeconds
    var candidate = unit % step
    while candidate < perDay {
      guard let next = next(candidate, unitSeconds: unitSeconds) else { return false }
      if next == candidate { return true }
      candidate += (next - candidate + step - 1) / step * step
    }
    return false
  }
}
