import CalendarModel

/// What the accounts of each kind allow.
extension Source.Kind {
  /// True where calendars can be added to it and removed from it.
  var allowsCalendarChanges: Bool { self != .subscribed && self != .birthdays }
  /// True where it can hold lists of reminders.
  var allowsReminders: Bool { self != .subscribed && self != .birthdays }
  /// True where an event of it can have a place with coordinates. Exchange knows a place's name only.
  var allowsStructuredLocations: Bool { self != .exchange }
  /// True where an alarm of it can go off at a place.
  var allowsProximityAlarms: Bool { self != .exchange }
}
