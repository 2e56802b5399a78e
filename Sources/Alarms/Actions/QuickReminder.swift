public import FencepostCalendarModel
public import FencepostPhrases

extension CalendarItem {
  /// A reminder of a line that a person typed, without a list, and without the alarm at the line's place.
  ///
  /// - Parameters:
  ///   - entry: The line.
  ///   - now: The time of its creation.
  public init(_ entry: QuickEntry, at now: Instant) {
    self.init(
      calendar: Identifier(rawValue: ""), title: entry.title,
      details: .reminder(ReminderDetails(due: entry.due)))
    created = now
    lastModified = now
    timeZone = anchor?.zone
    categories = entry.tags
    priority = entry.priority ?? 0
    recurrence = entry.rule.map { Recurrence(rules: [$0]) }
  }
}
