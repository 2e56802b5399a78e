import CalendarModel

/// Values that stand where a grammar asks for one and that mean nothing.
enum Sentinel {
  /// The TRIGGER of alarms that go off at no time: RFC 5545 asks for one, and Apple writes this.
  static let time = CalendarTime.utc(
    CivilDateTime(year: 1976, month: 4, day: 1, hour: 0, minute: 55, second: 45))

  /// Kept where a whole day came without a DTEND, which says that it ends with that day (RFC 5545, section 3.6.1).
  static let noEnd = "DTEND:"

  /// The UID of the VLOCATION that is written for an alarm, which RFC 9073 asks for.
  static func placeUID(of alarm: Alarm) -> String { "\(alarm.id.rawValue)/place" }
}
