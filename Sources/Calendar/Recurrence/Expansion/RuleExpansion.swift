public import FencepostCalendarModel

/// The wall-clock times of a rule from a start on: RRULE of RFC 5545 (section 3.3.10) with SKIP of RFC 7529,
/// without zones.
///
/// - The start counts as the first occurrence, even if the rule does not match it, like in RFC 5545 (section
///   3.8.5.3) and EventKit. ``Start/matching`` leaves such a start out.
/// - Occurrences end with the year 9999. A rule that never matches ends too: calendars repeat every 400
///   years, so a rule without a match in that time never has one.
/// - RFC 5545 forbids some parts with some frequencies. They limit the days if that makes sense; weekday
///   ordinals that make no sense are ignored.
public struct RuleExpansion: Sequence, Sendable {
  /// The treatment of a start that the rule does not match.
  public enum Start: Sendable {
    /// It is the first occurrence.
    case always
    /// It is not an occurrence and does not count.
    case matching
  }

  let plan: RulePlan
  let count: Int?
  let limit: Int64
  /// Times before `limit` that the end excludes too, because of a clock gap shortly before it.
  var excluded: Range<Int64> = 0..<0
  let startPolicy: Start

  /// The expansion of `rule` from `start`.
  ///
  /// - Parameters:
  ///   - rule: The rule. Values out of range never match.
  ///   - start: The first occurrence on the wall clock; midnight for whole days.
  ///   - until: The last allowed wall-clock time. It replaces an UNTIL in UTC, which the caller must convert
  ///     to the start's zone. Without it, an UNTIL in UTC counts as local time.
  ///   - startPolicy: The treatment of a start that the rule does not match.
  public init(
    _ rule: RecurrenceRule, start: CivilDateTime, until: CivilDateTime? = nil,
    startPolicy: Start = .always
  ) {
    plan = RulePlan(rule, start: start)
    var limit = Int64(Gregorian.lastDay) * 86_400 + 86_399
    var count: Int?
    switch rule.end {
    case .never: break
    case .count(let number): count = Swift.max(0, number)
    case .until(let time):
      // A day ends with its last second.
      let end = time.isDate ? CivilDateTime(day: time.day, secondOfDay: 86_399) : until ?? time.civil
      limit = Swift.min(limit, ZoneRules.localSeconds(end))
    }
    if let until { limit = Swift.min(limit, ZoneRules.localSeconds(until)) }
    self.limit = limit
    self.count = count
    self.startPolicy = startPolicy
  }

  /// The expansion of `rule` from an item's start. For whole days it ignores BYHOUR, BYMINUTE and BYSECOND
  /// (RFC 5545, section 3.3.10). A frequency within the day counts in days, so that no day occurs twice.
  public init(
    _ rule: RecurrenceRule, start: CalendarTime, until: CivilDateTime? = nil, startPolicy: Start = .always
  ) {
    var rule = rule
    if start.isDate {
      rule.byHour = []
      rule.byMinute = []
      rule.bySecond = []
      if let units = rule.frequency.unitsPerDay {
        rule.frequency = .daily
        rule.interval = Swift.max(1, rule.interval / units)
      }
    }
    self.init(rule, start: start.civil, until: until, startPolicy: startPolicy)
  }

  /// The occurrences from the first on.
  public func makeIterator() -> RuleIterator { RuleIterator(self) }

  /// The occurrences from `time` on. The cost is independent of the distance from the start, unless COUNT
  /// does not follow from the number of periods.
  public func makeIterator(from time: CivilDateTime) -> RuleIterator {
    var iterator = RuleIterator(self)
    iterator.skip(toLocal: ZoneRules.localSeconds(time))
    return iterator
  }

  /// The number of occurrences before `target` wall-clock seconds, for rules with COUNT, and whether more
  /// follow. Costs the same as ``makeIterator(from:)``.
  func occurrences(beforeLocal target: Int64) -> (counted: Int, hasMore: Bool) {
    var iterator = makeIterator()
    iterator.skip(toLocal: target)
    guard iterator.nextLocal() != nil else { return (count ?? 0, false) }
    return (count.map { $0 - iterator.remaining - 1 } ?? 0, true)
  }

  /// The last occurrence of a rule with COUNT; `nil` for other rules, or if the search takes more than about
  /// 100,000 steps.
  public func lastCounted() -> CivilDateTime? {
    guard let count, count > 0 else { return nil }
    var iterator = RuleIterator(self)
    iterator.skipToLastPeriods()
    var last: Int64?
    for _ in 0..<100_000 {
      guard let next = iterator.nextLocal() else {
        return last.map { CivilDateTime(secondsSinceEpoch: $0) }
      }
      last = next
    }
    return nil
  }
}

extension RecurrenceRule.Frequency {
  /// The number of units in a day; `nil` for a day and longer units.
  fileprivate var unitsPerDay: Int? {
    switch self {
    case .secondly: 86_400
    case .minutely: 1_440
    case .hourly: 24
    case .daily, .weekly, .monthly, .yearly: nil
    }
  }
}
