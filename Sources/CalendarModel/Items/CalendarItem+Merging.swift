extension CalendarItem {
  /// This item, with what was not changed in it since `base` taken from `stored`: what two writers changed
  /// apart from one another is kept of both.
  public func merging(_ stored: CalendarItem, since base: CalendarItem) -> CalendarItem {
    var merged = stored
    func take<Value: Equatable>(_ field: WritableKeyPath<CalendarItem, Value>) {
      if self[keyPath: field] != base[keyPath: field] { merged[keyPath: field] = self[keyPath: field] }
    }
    take(\.calendar)
    take(\.uid)
    take(\.title)
    take(\.location)
    take(\.structuredLocation)
    take(\.notes)
    take(\.url)
    take(\.timeZone)
    take(\.created)
    take(\.sequence)
    take(\.priority)
    take(\.categories)
    take(\.classification)
    take(\.alarms)
    take(\.recurrence)
    take(\.detachment)
    take(\.organizer)
    take(\.attendees)
    take(\.parentUID)
    take(\.preserved)
    merged.lastModified = lastModified
    if let mine = event, let old = base.event, let theirs = stored.event {
      merged.event = mine.merging(theirs, since: old)
    }
    if let mine = reminder, let old = base.reminder, let theirs = stored.reminder {
      merged.reminder = mine.merging(theirs, since: old)
    }
    return merged
  }
}

extension EventDetails {
  /// See ``CalendarItem/merging(_:since:)``. Start and end go together, so that they never end up the wrong way round.
  public func merging(_ stored: EventDetails, since base: EventDetails) -> EventDetails {
    var merged = stored
    if start != base.start || end != base.end {
      merged.start = start
      merged.end = end
    }
    if availability != base.availability { merged.availability = availability }
    if status != base.status { merged.status = status }
    return merged
  }
}

extension ReminderDetails {
  /// See ``CalendarItem/merging(_:since:)``.
  public func merging(_ stored: ReminderDetails, since base: ReminderDetails) -> ReminderDetails {
    var merged = stored
    if start != base.start { merged.start = start }
    if due != base.due { merged.due = due }
    if isCompleted != base.isCompleted || completed != base.completed {
      merged.isCompleted = isCompleted
      merged.completed = completed
    }
    if percentComplete != base.percentComplete { merged.percentComplete = percentComplete }
    return merged
  }
}
