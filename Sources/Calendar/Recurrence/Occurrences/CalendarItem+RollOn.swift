public import FencepostCalendarModel

extension CalendarItem {
  /// Completes this occurrence of a recurring reminder. The reminder moves to its next occurrence. The
  /// completed occurrence is returned as a separate reminder, like in other reminders programs.
  ///
  /// It skips missed occurrences: the next one is the first after both `now` and the completed one. A rule
  /// with COUNT counts the past ones.
  ///
  /// The reminder's new start is the time that the rule gives, even if a clock gap skips it. If the next
  /// occurrence is an RDATE, the new start is the rule's next occurrence, because the RDATE is not part of
  /// the rule; the RDATE still comes first.
  ///
  /// Its absolute alarms move by the same wall-clock time as the due time. Snooze alarms are removed.
  ///
  /// - Parameters:
  ///   - now: The time of the completion.
  ///   - closed: The occurrences that are done or cancelled already, as items of their own.
  ///   - resolver: The zones.
  /// - Returns: The completed occurrence; `nil` without a change if the reminder does not recur or has no
  ///   occurrence left.
  public mutating func rollOn(
    at now: Instant, closed: [CalendarTime] = [], resolver: TimeResolver
  ) -> CalendarItem? {
    guard reminder != nil, let recurrence, let anchor else { return nil }
    let series = OccurrenceSeries(without(closed), resolver: resolver)
    guard let current = series.firstOccurrence(startingAfter: .distantPast),
      let next = series.firstOccurrence(startingAfter: max(now, current.startInstant))
    else { return nil }

    var done = self
    done.id = .random()
    done.uid = done.id.rawValue
    done.recurrence = nil
    done.alarms = []
    if current.recurrenceID != anchor { done.setTimes(start: current.start, end: current.end) }
    done.reminder?.complete(at: now)
    done.lastModified = now

    let regular =
      next.isGiven(by: series) ? next : without(closed).regularOccurrence(after: next, resolver: resolver)
    let begin = regular ?? next
    let start = begin.recurrenceID ?? begin.start
    self.recurrence = recurrence.remaining(
      from: start, after: next, countedFrom: anchor,
      in: SeriesSource(self, anchor: anchor, resolver: resolver),
      resolver: resolver)
    setTimes(start: start, end: begin.end)
    moveAlarms(from: current.start, to: next.start, resolver: resolver)
    reminder?.reopen()
    lastModified = now
    return done
  }

  /// The reminder at its first open occurrence. A client completes an occurrence as an item of its own, and
  /// the series stays where it is.
  ///
  /// - Parameter closed: The occurrences that are done or cancelled.
  /// - Returns: The reminder; `nil` if no occurrence is open.
  public func atFirstOpenOccurrence(closed: [CalendarTime], resolver: TimeResolver) -> CalendarItem? {
    guard reminder != nil, !closed.isEmpty, recurrence != nil else { return self }
    guard
      let first = OccurrenceSeries(without(closed), resolver: resolver)
        .firstOccurrence(startingAfter: .distantPast)
    else { return nil }
    var item = self
    if first.recurrenceID != anchor { item.setTimes(start: first.start, end: first.end) }
    return item
  }

  /// The series without these occurrences.
  private func without(_ closed: [CalendarTime]) -> CalendarItem {
    guard !closed.isEmpty else { return self }
    var item = self
    item.recurrence?.exceptionDates += closed
    return item
  }

  /// Sets the times of an occurrence.
  private mutating func setTimes(start: CalendarTime, end: CalendarTime) {
    guard reminder?.start != nil else {
      reminder?.due = start
      return
    }
    reminder?.start = start
    if reminder?.due != nil { reminder?.due = end }
  }

  /// Moves the absolute alarms from one occurrence to another.
  ///
  /// They move on the wall clock of the occurrences' zone: an alarm at a quarter to nine stays at that time
  /// when the clocks change.
  private mutating func moveAlarms(
    from current: CalendarTime, to next: CalendarTime, resolver: TimeResolver
  ) {
    alarms.removeAll { $0.snoozeOf != nil }
    let rules = resolver.rules(for: next)
    let seconds = next.civil.secondsSinceEpoch - current.civil.secondsSinceEpoch
    for index in alarms.indices {
      guard case .absolute(let instant) = alarms[index].trigger else { continue }
      let civil = CivilDateTime(
        secondsSinceEpoch: rules.civil(at: instant).secondsSinceEpoch + seconds)
      let fraction = instant.microseconds - instant.wholeSeconds * 1_000_000
      let moved = rules.instant(of: civil)
      alarms[index].trigger = .absolute(Instant(microseconds: moved.microseconds + fraction))
    }
  }

  /// The first occurrence after `extra` from the rules.
  private func regularOccurrence(after extra: Occurrence, resolver: TimeResolver) -> Occurrence? {
    var bare = self
    bare.recurrence?.dates = []
    return OccurrenceSeries(bare, resolver: resolver).firstOccurrence(startingAfter: extra.startInstant)
  }
}

extension Occurrence {
  /// Whether a rule of `series` gives it, or the series has no rules.
  fileprivate func isGiven(by series: OccurrenceSeries) -> Bool {
    guard let rules = series.segments.first?.source.rules, !rules.isEmpty else { return true }
    return rules.contains { rule in
      var starts = AscendingMembership(rule)
      return starts.contains(identifierLocal)
    }
  }
}

extension Recurrence {
  /// The rest of the recurrence for a reminder that now starts at `start`. `next` is its next occurrence.
  fileprivate func remaining(
    from start: CalendarTime, after next: Occurrence, countedFrom anchor: CalendarTime,
    in source: SeriesSource,
    resolver: TimeResolver
  ) -> Recurrence {
    let local = source.local(start)
    var remaining = self
    remaining.rules = zip(rules, source.rules).compactMap { rule, expansion in
      let (counted, hasMore) = expansion.occurrences(beforeLocal: local)
      guard hasMore else { return nil }
      var rest = rule.keepingDay(of: anchor, from: start)
      if case .count(let count) = rule.end { rest.end = .count(max(1, count - counted)) }
      return rest
    }
    // A date equal to the new start is redundant.
    remaining.dates.removeAll {
      source.local($0.start) < next.identifierLocal || source.local($0.start) == local
    }
    remaining.exceptionDates.removeAll { resolver.instant(of: $0) < next.startInstant }
    return remaining
  }
}

extension RecurrenceRule {
  /// The rule for a start that SKIP has moved. It now names the day that came from `anchor`.
  fileprivate func keepingDay(of anchor: CalendarTime, from start: CalendarTime) -> RecurrenceRule {
    let (_, month, day) = anchor.day.components
    guard skip != .omit, frequency >= .monthly, start.day.components.day != day,
      byDay.isEmpty, byMonthDay.isEmpty, byYearDay.isEmpty, byWeekNumber.isEmpty
    else { return self }
    var rule = self
    rule.byMonthDay = [day]
    if frequency == .yearly, byMonth.isEmpty { rule.byMonth = [month] }
    return rule
  }
}
