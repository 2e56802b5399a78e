import FencepostApps
import FencepostCalendarModel
import FencepostRecurrence
public import Foundation

/// A recurrence rule. Only ``recurrenceEnd`` is mutable; create another rule for other changes.
open class EKRecurrenceRule: EKObject, NSCopying {
  /// The rule as a value, without its end.
  private let base: RecurrenceRule

  /// A rule for every `interval`th day, week, month or year from the start on.
  public convenience init(
    recurrenceWith type: EKRecurrenceFrequency, interval: Int, end: EKRecurrenceEnd?
  ) {
    self.init(
      recurrenceWith: type, interval: interval, daysOfTheWeek: nil, daysOfTheMonth: nil,
      monthsOfTheYear: nil, weeksOfTheYear: nil, daysOfTheYear: nil, setPositions: nil, end: end)
  }

  /// A rule.
  ///
  /// It ignores parts that the frequency does not support, and they read back as `nil`: days of the week with
  /// daily rules, days of the month except with monthly rules, months, weeks and days of the year except with
  /// yearly rules, positions without a set. It also ignores numbers out of range.
  ///
  /// - Parameters:
  ///   - type: The frequency.
  ///   - interval: The interval. A number below one counts as one; Apple's class raises an exception.
  ///   - days: Days of the week. Their numbers count in monthly and yearly rules only.
  ///   - monthDays: ±1 to 31.
  ///   - months: 1 to 12.
  ///   - weeksOfTheYear: ±1 to 53.
  ///   - daysOfTheYear: ±1 to 366.
  ///   - setPositions: The occurrences of a period to keep, ±1 to 366.
  ///   - end: The end of the rule; `nil` for none.
  public init(
    recurrenceWith type: EKRecurrenceFrequency, interval: Int,
    daysOfTheWeek days: [EKRecurrenceDayOfWeek]?, daysOfTheMonth monthDays: [NSNumber]?,
    monthsOfTheYear months: [NSNumber]?, weeksOfTheYear: [NSNumber]?, daysOfTheYear: [NSNumber]?,
    setPositions: [NSNumber]?, end: EKRecurrenceEnd?
  ) {
    func numbers(_ list: [NSNumber]?, within limit: Int, signed: Bool = true) -> [Int] {
      (list ?? []).map(\.intValue).filter { $0 != 0 && $0 >= (signed ? -limit : 1) && $0 <= limit }
    }
    var rule = RecurrenceRule(type.value, interval: max(1, interval))
    if type != .daily {
      rule.byDay = (days ?? []).map { day in
        type == .weekly ? RecurrenceRule.WeekdayNumber(day.value.weekday) : day.value
      }
    }
    if type == .monthly { rule.byMonthDay = numbers(monthDays, within: 31) }
    if type == .yearly {
      rule.byMonth = numbers(months, within: 12, signed: false)
      rule.byWeekNumber = numbers(weeksOfTheYear, within: 53)
      rule.byYearDay = numbers(daysOfTheYear, within: 366)
    }
    if !(rule.byDay.isEmpty && rule.byMonthDay.isEmpty && rule.byMonth.isEmpty && rule.byWeekNumber.isEmpty
      && rule.byYearDay.isEmpty)
    {
      rule.bySetPosition = numbers(setPositions, within: 366)
    }
    if type == .weekly && rule.interval > 1 { rule.weekStart = .monday }
    base = rule
    recurrenceEnd = end
  }

  /// A daily rule, for subclasses in tests.
  public override init() { base = RecurrenceRule(.daily) }

  /// The older name of ``init(recurrenceWith:interval:end:)``.
  @available(*, deprecated, renamed: "init(recurrenceWith:interval:end:)")
  public convenience init(
    recurrenceWithFrequency type: EKRecurrenceFrequency, interval: Int, end: EKRecurrenceEnd?
  ) {
    self.init(recurrenceWith: type, interval: interval, end: end)
  }

  /// The older name of
  /// ``init(recurrenceWith:interval:daysOfTheWeek:daysOfTheMonth:monthsOfTheYear:weeksOfTheYear:daysOfTheYear:setPositions:end:)``.
  @available(
    *, deprecated,
    renamed:
      "init(recurrenceWith:interval:daysOfTheWeek:daysOfTheMonth:monthsOfTheYear:weeksOfTheYear:daysOfTheYear:setPositions:end:)"
  )
  public convenience init(
    recurrenceWithFrequency type: EKRecurrenceFrequency, interval: Int,
    daysOfTheWeek days: [EKRecurrenceDayOfWeek]?, daysOfTheMonth monthDays: [NSNumber]?,
    monthsOfTheYear months: [NSNumber]?, weeksOfTheYear: [NSNumber]?, daysOfTheYear: [NSNumber]?,
    setPositions: [NSNumber]?, end: EKRecurrenceEnd?
  ) {
    self.init(
      recurrenceWith: type, interval: interval, daysOfTheWeek: days, daysOfTheMonth: monthDays,
      monthsOfTheYear: months, weeksOfTheYear: weeksOfTheYear, daysOfTheYear: daysOfTheYear,
      setPositions: setPositions, end: end)
  }

  init(_ rule: RecurrenceRule, resolver: TimeResolver) {
    base = rule
    recurrenceEnd = EKRecurrenceEnd(rule.end, resolver: resolver)
  }

  /// Loads the end of this rule from the store. Returns false without a change if `rule` is another one.
  func load(_ rule: RecurrenceRule, resolver: TimeResolver) -> Bool {
    var same = rule
    same.end = base.end
    guard same == base else { return false }
    if rule != value { recurrenceEnd = EKRecurrenceEnd(rule.end, resolver: resolver) }
    return true
  }

  /// The rule as a value.
  var value: RecurrenceRule {
    var rule = base
    rule.end = recurrenceEnd?.value ?? .never
    return rule
  }

  /// `gregorian`: rules use no other calendar.
  open var calendarIdentifier: String { "gregorian" }

  /// The end; `nil` for none.
  open var recurrenceEnd: EKRecurrenceEnd?

  /// The frequency. A rule of hours, minutes or seconds, which files may contain, reads as daily.
  open var frequency: EKRecurrenceFrequency {
    switch base.frequency {
    case .secondly, .minutely, .hourly, .daily: .daily
    case .weekly: .weekly
    case .monthly: .monthly
    case .yearly: .yearly
    }
  }

  /// The interval, 1 or more.
  open var interval: Int { base.interval }

  /// The first day of the week, 1 for Sunday; 0 if it makes no difference.
  open var firstDayOfTheWeek: Int {
    base.frequency == .weekly && base.interval > 1 ? (base.weekStart ?? .monday).rawValue : 0
  }

  /// Days of the week; `nil` for none.
  open var daysOfTheWeek: [EKRecurrenceDayOfWeek]? {
    base.byDay.isEmpty ? nil : base.byDay.map { EKRecurrenceDayOfWeek($0) }
  }

  /// Days of the month, ±1 to 31; `nil` for none.
  open var daysOfTheMonth: [NSNumber]? { numbers(base.byMonthDay) }
  /// Days of the year, ±1 to 366; `nil` for none.
  open var daysOfTheYear: [NSNumber]? { numbers(base.byYearDay) }
  /// Weeks of the year, ±1 to 53; `nil` for none.
  open var weeksOfTheYear: [NSNumber]? { numbers(base.byWeekNumber) }
  /// Months, 1 to 12; `nil` for none.
  open var monthsOfTheYear: [NSNumber]? { numbers(base.byMonth) }
  /// The occurrences of a period to keep; `nil` for all.
  open var setPositions: [NSNumber]? { numbers(base.bySetPosition) }

  private func numbers(_ list: [Int]) -> [NSNumber]? {
    list.isEmpty ? nil : list.map { NSNumber(value: $0) }
  }

  /// The rule in Apple's format, which apps parse: its address, ` RRULE `, and RFC 5545's text without
  /// spaces, always with the interval.
  open override var description: String {
    let parts = value.text.split(separator: ";").map(String.init)
    let isFirstPart = { (part: String) in part.hasPrefix("FREQ=") || part.hasPrefix("INTERVAL=") }
    let text =
      (parts.filter { $0.hasPrefix("FREQ=") } + ["INTERVAL=\(interval)"] + parts.filter { !isFirstPart($0) })
      .joined(separator: ";")
    let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
    return "EKRecurrenceRule <0x\(address)> RRULE \(text)"
  }

  /// A copy with an independent end.
  open func copy(with zone: NSZone? = nil) -> Any { EKRecurrenceRule(copying: self) }

  private init(copying other: EKRecurrenceRule) {
    base = other.base
    recurrenceEnd = other.recurrenceEnd
  }

  /// True if both have the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? EKRecurrenceRule)?.value == value
  }

  /// Hashes the immutable part.
  open override var hash: Int { base.hashValue }
}

extension EKRecurrenceFrequency {
  var value: RecurrenceRule.Frequency {
    switch self {
    case .daily: .daily
    case .weekly: .weekly
    case .monthly: .monthly
    case .yearly: .yearly
    // A number without a name here.
    @unknown default: .daily
    }
  }
}

/// A day of the week, with its number within the month or year.
open class EKRecurrenceDayOfWeek: NSObject, NSCopying, NSSecureCoding {
  /// The day.
  public let dayOfTheWeek: EKWeekday
  /// The number: 2 for the second, -1 for the last, 0 for every one; within ±53.
  public let weekNumber: Int

  /// Every such day.
  public convenience init(_ dayOfTheWeek: EKWeekday) {
    self.init(dayOfTheWeek: dayOfTheWeek, weekNumber: 0)
  }

  /// The `weekNumber`th such day.
  public convenience init(_ dayOfTheWeek: EKWeekday, weekNumber: Int) {
    self.init(dayOfTheWeek: dayOfTheWeek, weekNumber: weekNumber)
  }

  /// The `weekNumber`th such day. A number beyond ±53 counts as 0; Apple's class raises an exception.
  public init(dayOfTheWeek: EKWeekday, weekNumber: Int) {
    self.dayOfTheWeek = dayOfTheWeek
    self.weekNumber = (-53...53).contains(weekNumber) ? weekNumber : 0
  }

  convenience init(_ day: RecurrenceRule.WeekdayNumber) {
    self.init(
      dayOfTheWeek: EKWeekday(rawValue: day.weekday.rawValue) ?? .sunday, weekNumber: day.ordinal)
  }

  var value: RecurrenceRule.WeekdayNumber {
    RecurrenceRule.WeekdayNumber(Weekday(rawValue: dayOfTheWeek.rawValue) ?? .sunday, ordinal: weekNumber)
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Reads a day from an archive; `nil` if it is invalid.
  public required init?(coder: NSCoder) {
    guard let day = EKWeekday(rawValue: coder.decodeInteger(forKey: "dayOfTheWeek")) else { return nil }
    dayOfTheWeek = day
    weekNumber = coder.decodeInteger(forKey: "weekNumber")
  }

  /// Writes both numbers to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(dayOfTheWeek.rawValue, forKey: "dayOfTheWeek")
    coder.encode(weekNumber, forKey: "weekNumber")
  }

  /// Compares day and number.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKRecurrenceDayOfWeek else { return false }
    return value == other.value
  }

  /// Hashes day and number.
  open override var hash: Int { value.hashValue }
}

/// The end of a rule: a date or a number of occurrences.
open class EKRecurrenceEnd: NSObject, NSCopying, NSSecureCoding {
  /// The date of the last occurrence or later; `nil` if the end is a number.
  public let endDate: Date?
  /// The number of occurrences, including the first; 0 if the end is a date.
  public let occurrenceCount: Int
  /// The UNTIL in its original form, so that an unchanged rule stays the same.
  let until: CalendarTime?

  /// An end at a date.
  public convenience init(end endDate: Date) {
    self.init(endDate: endDate, occurrenceCount: 0, until: nil)
  }

  /// The older name of ``init(end:)``.
  @available(*, deprecated, renamed: "init(end:)")
  public convenience init(endDate: Date) { self.init(end: endDate) }

  /// An end after a number of occurrences. A number below one counts as one; Apple's class raises an
  /// exception.
  public convenience init(occurrenceCount: Int) {
    self.init(endDate: nil, occurrenceCount: max(1, occurrenceCount), until: nil)
  }

  private init(endDate: Date?, occurrenceCount: Int, until: CalendarTime?) {
    self.endDate = endDate
    self.occurrenceCount = occurrenceCount
    self.until = until
  }

  /// The end of a rule; `nil` if it has none.
  convenience init?(_ end: RecurrenceRule.End, resolver: TimeResolver) {
    switch end {
    case .never: return nil
    case .count(let count): self.init(occurrenceCount: count)
    case .until(let time):
      self.init(endDate: resolver.date(of: time), occurrenceCount: 0, until: time)
    }
  }

  var value: RecurrenceRule.End {
    if let until { return .until(until) }
    if let endDate { return .until(CalendarTime(endDate.instant)) }
    return .count(occurrenceCount)
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Reads an end from an archive.
  public required init?(coder: NSCoder) {
    let count = coder.decodeInteger(forKey: "occurrenceCount")
    guard count > 0 || coder.containsValue(forKey: "endDate") else { return nil }
    occurrenceCount = max(0, count)
    endDate =
      count > 0 ? nil : Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "endDate"))
    until = nil
  }

  /// Writes the end to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(occurrenceCount, forKey: "occurrenceCount")
    if let endDate { coder.encode(endDate.timeIntervalSinceReferenceDate, forKey: "endDate") }
  }

  /// Compares date and number.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKRecurrenceEnd else { return false }
    return endDate == other.endDate && occurrenceCount == other.occurrenceCount
  }

  /// Hashes date and number.
  open override var hash: Int { occurrenceCount ^ (endDate?.hashValue ?? 0) }
}

extension CalendarItem {
  /// For an item with whole days, converts the ends of new and changed rules to days: the day of that instant
  /// in the floating zone. With an UNTIL in UTC, the day in UTC would count.
  mutating func endRulesWithDays(since original: CalendarItem?, resolver: TimeResolver) {
    let known = original?.anchor?.isDate == true ? original?.recurrence?.rules ?? [] : []
    for index in recurrence?.rules.indices ?? 0..<0 {
      guard let rule = recurrence?.rules[index], !known.contains(rule),
        case .until(let time) = rule.end, let moment = time.utcInstant
      else { continue }
      recurrence?.rules[index].end = .until(.date(resolver.floating.civil(at: moment).day))
    }
  }
}
