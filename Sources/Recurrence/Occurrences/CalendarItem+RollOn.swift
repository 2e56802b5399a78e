public import CalendarModel

extension CalendarItem {
  /// Completes this occurrence of a recurring reminder: the reminder moves on to its next occurrence, and what
  /// was done is returned as a completed reminder of its own, as reminders programs keep it.
  ///
  /// Occurrences that were missed are passed over: the next one is the first after `now` and after the one
  /// that is completed. A rule that ends by COUNT counts those that are gone.
  ///
  /// The reminder then counts from what its rule says, though the clocks skip that reading. Where the next occurrence is
  /// an RDATE, which says nothing of the rule, it counts from the rule's next one; the RDATE comes first all the same.
  ///
  /// Its alarms at a date move along, so far on the wall clock as the due time does; those that one was put off to are
  /// done with.
  ///
  /// - Returns: The completed occurrence; `nil`, and nothing is changed, where the reminder does not recur or
  ///   has no occurrence left.
  public mutating func rollOn(at now: Instant, resolver: TimeResolver) -> CalendarItem? {
    guard reminder != nil, let recurrence, let anchor else { return nil }
    let series = OccurrenceSeries(self, resolver: resolver)
    guard let current = series.firstOccurrence(startingAfter: .distantPast),
      let next = series.firstOccurrence(startingAfter: max(now, current.startInstant))
    else { return nil }

    var done = self
    done.id = .random()
    done.uid = done.id.rawValue
    done.recurrence = nil
    done.alarms = []
    if current.recurrenceID != anchor { done.take(start: current.start, end: current.end) }
    done.reminder?.complete(at: now)
    done.lastModified = now

    let regular = next.isGiven(by: series) ? next : regularOccurrence(after: next, resolver: resolver)
    let begin = regular ?? next
    let start = begin.recurrenceID ?? begin.start
    self.recurrence = recurrence.remaining(
      from: start, after: next, countedFrom: anchor,
      in: SeriesSource(self, anchor: anchor, resolver: resolver),
      resolver: resolver)
    take(start: start, end: begin.end)
    moveAlarms(from: current.start, to: next.start, resolver: resolver)
    reminder?.reopen()
    lastModified = now
    return done
  }

  /// Takes the times of an occurrence.
  private mutating func take(start: CalendarTime, end: CalendarTime) {
    guard reminder?.start != nil else {
      reminder?.due = start
      return
    }
    reminder?.start = start
    if reminder?.due != nil { reminder?.due = end }
  }

  /// Moves the alarms at a date as far as an occurrence is from another one.
  ///
  /// On the wall clock of the occurrences' zone: what goes off at a quarter to nine does so whatever the clocks do.
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

  /// The first occurrence after `extra` that the rules give.
  private func regularOccurrence(after extra: Occurrence, resolver: TimeResolver) -> Occurrence? {
    var bare = self
    bare.recurrence?.dates = []
    return OccurrenceSeries(bare, resolver: resolver).firstOccurrence(startingAfter: extra.startInstant)
  }
}

extension Occurrence {
  /// True where a rule of `series` gives it, or the series has none.
  fileprivate func isGiven(by series: OccurrenceSeries) -> Bool {
    guard let rules = series.segments.first?.source.rules, !rules.isEmpty else { return true }
    return rules.contains { rule in
      var starts = AscendingMembership(rule)
      return starts.contains(identifierLocal)
    }
  }
}

extension Recurrence {
  /// What is left of it for a reminder that begins anew at `start`, its next occurrence being `next`.
  fileprivate func remaining(
    from start: CalendarTime, after next: Occurrence, countedFrom anchor: CalendarTime,
    in source: SeriesSource,
    resolver: TimeResolver
  ) -> Recurrence {
    let local = source.local(start)
    var remaining = self
    remaining.rules = zip(rules, source.rules).compactMap { rule, expansion in
      let (counted, goesOn) = expansion.occurrences(beforeLocal: local)
      guard goesOn else { return nil }
      var rest = rule.keepingDay(of: anchor, from: start)
      if case .count(let count) = rule.end { rest.end = .count(max(1, count - counted)) }
      return rest
    }
    // A date that is the reminder's own start now need not be said.
    remaining.dates.removeAll {
      source.local($0.start) < next.identifierLocal || source.local($0.start) == local
    }
    remaining.exceptionDates.removeAll { resolver.instant(of: $0) < next.startInstant }
    return remaining
  }
}

extension RecurrenceRule {
  /// This rule for a start that SKIP has moved: the day that it took from `anchor` is said in it from now on.
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
