extension CalendarItem {
  /// This item, with the fields that it has not changed since `base` taken from `stored`. So the changes of
  /// two concurrent writers both survive.
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
    merged.alarms = alarms.merging(stored.alarms, since: base.alarms)
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

extension [Alarm] {
  /// See ``CalendarItem/merging(_:since:)``. A snooze added meanwhile must go off, whatever happened to the
  /// other alarms.
  fileprivate func merging(_ stored: [Alarm], since base: [Alarm]) -> [Alarm] {
    guard self != base else { return stored }
    // If a file gave several alarms one identifier, it is unclear which of them changed.
    guard [self, stored, base].allSatisfy({ Set($0.map(\.id)).count == $0.count }) else { return self }
    func byIdentifier(_ alarms: [Alarm]) -> [Identifier<Alarm>: Alarm] {
      Dictionary(alarms.map { ($0.id, $0) }) { first, _ in first }
    }
    let (mine, theirs, old) = (byIdentifier(self), byIdentifier(stored), byIdentifier(base))
    let kept = compactMap { alarm -> Alarm? in
      guard let before = old[alarm.id] else { return alarm }
      guard let other = theirs[alarm.id] else { return alarm == before ? nil : alarm }
      guard alarm != before else { return other }
      var merged = alarm
      if alarm.acknowledged == before.acknowledged { merged.acknowledged = other.acknowledged }
      return merged
    }
    let added = stored.filter { alarm in
      guard mine[alarm.id] == nil, old[alarm.id] == nil else { return false }
      // A snooze goes when its alarm goes.
      return alarm.snoozeOf.map { old[$0] == nil || mine[$0] != nil } ?? true
    }
    return kept + added
  }
}

extension EventDetails {
  /// See ``CalendarItem/merging(_:since:)``. Start and end merge together, so that the end stays after the
  /// start.
  public func merging(_ stored: EventDetails, since base: EventDetails) -> EventDetails {
    var merged = stored
    if start != base.start || end != base.end {
      merged.start = start
      merged.end = end
    }
    if availability != base.availability { merged.availability = availability }
    if status != base.status { merged.status = status }
    if birthdayContact != base.birthdayContact { merged.birthdayContact = birthdayContact }
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
    if isCancelled != base.isCancelled { merged.isCancelled = isCancelled }
    if isInProcess != base.isInProcess { merged.isInProcess = isInProcess }
    if percentComplete != base.percentComplete { merged.percentComplete = percentComplete }
    return merged
  }
}

/// A text that is equal only to one of the same bytes. A Swift `String` is also equal to its other normal
/// forms (é in one scalar or in two), but such UIDs belong to different items.
public struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  /// The text.
  public let text: String

  /// An exact text.
  public init(_ text: String) { self.text = text }

  /// An exact text.
  public init(stringLiteral text: String) { self.text = text }

  /// Compares the bytes.
  public static func == (a: ExactText, b: ExactText) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  /// Compares the bytes.
  public static func < (a: ExactText, b: ExactText) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(0xFF as UInt8)
  }
}
