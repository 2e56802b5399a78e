import FencepostCalendarModel

/// Values without a meaning, for grammars that require a value.
enum Sentinel {
  /// The TRIGGER of alarms without a time. RFC 5545 requires one, and Apple writes this.
  static let time = CalendarTime.utc(
    CivilDateTime(year: 1976, month: 4, day: 1, hour: 0, minute: 55, second: 45))

  /// Marks a whole-day event without DTEND, which ends with that day (RFC 5545, section 3.6.1).
  static let noEnd = "DTEND:"

  /// The UID of an alarm's VLOCATION, which RFC 9073 requires.
  static func placeUID(of alarm: Alarm) -> String { "\(alarm.id.rawValue)/place" }
}
