public import CalendarModel

extension CalendarItem {
  /// Completes this occurrence of a recurring reminder: the reminder moves on to its next occurrence, and what
  /// was done is returned as a completed reminder of its own, as reminders programs keep it.
  ///
  /// Occurrences that were missed are passed over: the next one is the first after `now` and after the one
  /// that is completed. A rule that ends by COUNT counts those that are gone.
  ///
  /// - Returns: The completed occurrence; `nil`, and nothing is changed, where the reminder does not recur or
  ///   has no occurrence left.
  public mutating func rollOn(at now: Instant, resolver: TimeResolver) -> CalendarItem? {
    guard reminder != nil, let recurrence, let anchor else { return nil }
    let series = OccurrenceSeries(self, resolver: resolver)
    let current = resolver.instant(of: anchor)
    guard let next = series.firstOccurrence(startingAfter: max(now, current)) else { return nil }

    var done = self
    done.id = .random()
    done.uid = done.id.rawValue
    done.recurrence = nil
    done.alarms = []
    done.reminder?.isCompleted = true
    done.reminder?.completed = now
    done.reminder?.percentComplete = 100
    done.lastModified = now

    var remaining = recurrence
    remaining.rules = recurrence.rules.map { rule in
      guard case .count(let count) = rule.end else { return rule }
      var alone = self
      alone.recurrence = Recurrence(rules: [rule])
      let gone = OccurrenceSeries(alone, resolver: resolver)
        .occurrences(startingIn: Instant.distantPast..<next.startInstant).prefix(count).reduce(0) { sum, _ in
          sum + 1
        }
      var rest = rule
      rest.end = .count(max(1, count - gone))
      return rest
    }
    remaining.dates.removeAll { resolver.instant(of: $0.start) <= next.startInstant }
    remaining.exceptionDates.removeAll { resolver.instant(of: $0) < next.startInstant }
    self.recurrence = remaining

    if reminder?.start != nil {
      reminder?.start = next.start
      if reminder?.due != nil { reminder?.due = next.end }
    } else {
      reminder?.due = next.start
    }
    reminder?.isCompleted = false
    reminder?.completed = nil
    reminder?.percentComplete = nil
    lastModified = now
    return done
  }
}
