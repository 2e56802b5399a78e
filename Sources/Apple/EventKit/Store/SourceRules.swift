import FencepostCalendarModel

/// The restrictions of each kind of account.
extension Source.Kind {
  /// True if the app can add and remove calendars.
  var allowsCalendarChanges: Bool { self != .subscribed && self != .birthdays }
  /// True if it supports lists of reminders.
  var allowsReminders: Bool { self != .subscribed && self != .birthdays }
  /// True if its events support places with coordinates. Exchange only supports names.
  var allowsStructuredLocations: Bool { self != .exchange }
  /// True if its alarms can go off at a place.
  var allowsProximityAlarms: Bool { self != .exchange }
}
