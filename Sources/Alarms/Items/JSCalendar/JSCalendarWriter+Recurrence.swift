import FencepostCalendarModel
import FencepostJSON
import FencepostRecurrence

extension JSCalendarWriter {
  /// A rule (RFC 8984, section 4.3.3).
  func rule(_ rule: RecurrenceRule, _ clock: JSCalendarClock) -> JSONLine {
    var line = JSONLine()
    line.add("@type", "RecurrenceRule")
    line.add("frequency", rule.frequency.rawValue.lowercased())
    if rule.interval != 1 { line.add("interval", rule.interval) }
    if rule.hasScale { line.add("rscale", "gregorian") }
    if rule.skip != .omit { line.add("skip", rule.skip.rawValue.lowercased()) }
    if let first = rule.weekStart { line.add("firstDayOfWeek", first.abbreviation.lowercased()) }
    if !rule.byDay.isEmpty {
      line.add(
        "byDay",
        rule.byDay.map { day in
          var line = JSONLine()
          line.add("@type", "NDay")
          line.add("day", day.weekday.abbreviation.lowercased())
          if day.ordinal != 0 { line.add("nthOfPeriod", day.ordinal) }
          return line
        })
    }
    func add(_ name: String, _ numbers: [Int]) {
      guard !numbers.isEmpty else { return }
      line.add(name, json: "[" + numbers.map { "\($0)" }.joined(separator: ",") + "]")
    }
    add("byMonthDay", rule.byMonthDay)
    if !rule.byMonth.isEmpty { line.add("byMonth", rule.byMonth.map { "\($0)" }) }
    add("byYearDay", rule.byYearDay)
    add("byWeekNo", rule.byWeekNumber)
    add("byHour", rule.byHour)
    add("byMinute", rule.byMinute)
    add("bySecond", rule.bySecond)
    add("bySetPosition", rule.bySetPosition)
    switch rule.end {
    case .never: break
    case .count(let count): line.add("count", count)
    case .until(.date(let day)) where !clock.isDate:
      line.add("until", "\(CivilDateTime(day: day, secondOfDay: 86_399))")
    case .until(let time): line.add("until", clock.text(time))
    }
    return line
  }

  /// Additional, cancelled and changed occurrences of a series (RFC 8984, section 4.3.5). Changes that
  /// include all later occurrences have no form there.
  func overrides(of series: CalendarItem, _ occurrences: [CalendarItem]) -> [String: JSONLine] {
    guard series.detachment == nil else { return [:] }
    let clock = JSCalendarClock(of: series, resolver: resolver)
    var overrides: [String: JSONLine] = [:]
    for added in series.recurrence?.dates ?? [] {
      var patch = JSONLine()
      if let end = added.end {
        patch.add("duration", JSCalendarDuration.between(added.start, end, resolver).text)
      }
      overrides[clock.text(added.start)] = patch
    }
    for date in series.recurrence?.exceptionDates ?? [] {
      var patch = JSONLine()
      patch.add("excluded", true)
      overrides[clock.text(date)] = patch
    }
    let whole = Self.patchable(properties(of: series))
    for occurrence in occurrences {
      guard let detachment = occurrence.detachment, !detachment.andFuture else { continue }
      let key = clock.text(detachment.occurrence)
      // The rule gives the start, or the due time of a task without one.
      let moved = series.anchor.flatMap { _ in
        whole.setting([series.start == nil ? "due" : "start"], to: JSONValue(line: 1, content: .text(key)))
      }
      var patch = JSONLine()
      for change in (moved ?? whole).changes(to: Self.patchable(properties(of: occurrence))) {
        patch.add(change.pointer, json: change.value?.json ?? "null")
      }
      overrides[key] = patch
    }
    return overrides
  }

  /// The properties that a patch can't change, or that say nothing about the occurrence.
  static let unpatched: Set<String> = [
    "@type", "uid", "recurrenceId", "recurrenceIdTimeZone", "recurrenceRules", "excludedRecurrenceRules",
    "recurrenceOverrides", "method", "prodId", "privacy", "relatedTo", "replyTo", "sentBy", "timeZones",
    "created",
    "updated",
  ]

  private static func patchable(_ line: JSONLine) -> JSONValue {
    JSONValue(line: 1, content: .object(line.members.filter { !unpatched.contains($0.key) }))
  }
}

extension JSONLine {
  /// Adds objects by key, in the order of the keys.
  mutating func add(_ name: String, _ objects: [String: JSONLine]) {
    var line = JSONLine()
    for (key, object) in objects.sorted(by: { $0.key < $1.key }) { line.add(key, object) }
    add(name, line)
  }
}
