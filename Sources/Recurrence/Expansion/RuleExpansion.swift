public import CalendarModel

/// The wall-clock times that a rule gives from a start on: RRULE of RFC 5545 (section 3.3.10) with SKIP of
/// RFC 7529, on days without zone rules.
///
/// - The start counts as the first occurrence even where the rule would not give it, as RFC 5545 (section
///   3.8.5.3) and EventKit have it; ``Start/matching`` leaves it out then.
/// - Occurrences end with the year 9999. A rule that never matches ends too: calendars repeat every 400
///   years, so a rule that gave nothing for as many periods as that takes will never give anything.
/// - Parts that RFC 5545 forbids beside a frequency limit the days where that can mean something; ordinals of
///   weekdays are passed over where they can't.
public struct RuleExpansion: Sequence, Sendable {
  /// What is made of a start that the rule does not give.
  public enum Start: Sendable {
    /// It is the first occurrence all the same.
    case always
    /// It is none, and does not count.
    case matching
  }

  let plan: RulePlan
  let count: Int?
  let limit: Int64
  /// Times before `limit` that the end excludes too: those of a gap of the clocks shortly before it.
  var excluded: Range<Int64> = 0..<0
  let startPolicy: Start

  /// The expansion of `rule` from `start`.
  ///
  /// - Parameters:
  ///   - rule: The rule. Values out of range never match.
  ///   - start: The first occurrence on the wall clock; midnight for whole days.
  ///   - until: The last wall-clock time that may be given. It takes the place of an UNTIL in UTC, which the
  ///     caller must bring to the start's zone; without it an UNTIL in UTC is read as if it were local.
  ///   - startPolicy: What is made of a start that the rule does not give.
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
      // A day is over with its last second.
      let end = time.isDate ? CivilDateTime(day: time.day, secondOfDay: 86_399) : until ?? time.civil
      limit = Swift.min(limit, ZoneRules.localSeconds(end))
    }
    if let until { limit = Swift.min(limit, ZoneRules.localSeconds(until)) }
    self.limit = limit
    self.count = count
    self.startPolicy = startPolicy
  }

  /// The expansion of `rule` from an item's start. For whole days BYHOUR, BYMINUTE and BYSECOND are ignored, as RFC 5545
  /// (section 3.3.10) demands.
  public init(
    _ rule: RecurrenceRule, start: CalendarTime, until: CivilDateTime? = nil, startPolicy: Start = .always
  ) {
    var rule = rule
    if start.isDate {
      rule.byHour = []
      rule.byMinute = []
      rule.bySecond = []
    }
    self.init(rule, start: start.civil, until: until, startPolicy: startPolicy)
  }

  /// The occurrences from the first on.
  public func makeIterator() -> RuleIterator { RuleIterator(self) }

  /// The occurrences not before `time`. Costs the same however far that is from the start, unless a COUNT
  /// can't be told from the number of periods.
  public func makeIterator(from time: CivilDateTime) -> RuleIterator {
    var iterator = RuleIterator(self)
    iterator.skip(toLocal: ZoneRules.localSeconds(time))
    return iterator
  }

  /// How many occurrences come before `target` wall-clock seconds, where the rule counts them, and whether others
  /// follow. Costs what ``makeIterator(from:)`` does.
  func occurrences(beforeLocal target: Int64) -> (counted: Int, goesOn: Bool) {
    var iterator = makeIterator()
    iterator.skip(toLocal: target)
    guard iterator.nextLocal() != nil else { return (count ?? 0, false) }
    return (count.map { $0 - iterator.remaining - 1 } ?? 0, true)
  }

  /// The last occurrence, where the rule ends by COUNT and finding it takes less than some 100,000 steps;
  /// `nil` otherwise.
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
