import FencepostCalendarModel

/// The hours, minutes and seconds that BYHOUR, BYMINUTE and BYSECOND allow. An empty list allows all.
struct ClockMask: Sendable {
  let hours: UInt64
  let minutes: UInt64
  let seconds: UInt64
  /// Whether every second is allowed.
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
    // The 60th second is a leap second. Clocks without leap seconds use the 59th (RFC 5545, 3.3.12).
    seconds = mask(rule.bySecond.map { $0 == 60 ? 59 : $0 }, below: 60, all: Self.allMinutes)
    isFull = hours == Self.allHours && minutes == Self.allMinutes && seconds == Self.allMinutes
  }

  var hourList: [Int] { (0..<24).filter { hours & 1 << UInt64($0) != 0 } }
  var minuteList: [Int] { (0..<60).filter { minutes & 1 << UInt64($0) != 0 } }
  var secondList: [Int] { (0..<60).filter { seconds & 1 << UInt64($0) != 0 } }

  /// The first allowed unit of the day from `unit` on; `nil` if the day has none.
  ///
  /// Shorter units don't count: an hourly rule's minutes are not limits.
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
      // Try this minute, then a later minute of this hour, then a later hour.
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

  /// The end of the run of allowed units that contains `unit`, at most the end of the day.
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

  /// Whether one of `unit`, `unit + step`, … of a day is allowed. The day wraps around.
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

/// Arithmetic on day numbers for the expansion of rules.
enum Gregorian {
  /// 0001-01-01.
  static let firstDay = CivilDay(year: 1, month: 1, day: 1).dayNumber
  /// 9999-12-31, the last day that RFC 5545 can express.
  static let lastDay = CivilDay(year: 9999, month: 12, day: 31).dayNumber
  /// The days in 400 years. The calendar repeats after them, including weekdays.
  static let cycleDays = 146_097

  /// The day of the week, Sunday 0.
  @inline(__always)
  static func weekday(_ day: Int) -> Int { floorMod(day &+ 4, 7) }

  @inline(__always)
  static func floorDiv(_ a: Int, _ b: Int) -> Int {
    let quotient = a / b
    return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient
  }

  @inline(__always)
  static func floorMod(_ a: Int, _ b: Int) -> Int {
    let remainder = a % b
    return remainder < 0 ? remainder + b : remainder
  }

  static func yearLength(_ year: Int) -> Int { CivilDay.isLeap(year) ? 366 : 365 }

  /// The first day of week 1 of `year`: the week from `weekStart` on with at least four days in the year, so
  /// it contains 4 January (RFC 5545, section 3.3.10, BYWEEKNO).
  static func firstWeek(of year: Int, weekStart: Int) -> Int {
    let fourth = CivilDay(year: year, month: 1, day: 4).dayNumber
    return fourth - floorMod(weekday(fourth) - weekStart, 7)
  }

  static func gcd(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
