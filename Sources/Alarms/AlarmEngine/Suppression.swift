/// Why an alarm did not go off although a device crossed its boundary.
public enum Suppression: String, Hashable, Sendable, CaseIterable {
  /// It waits for other devices.
  case otherDevice = "other_device"
  /// The device was inside already, and the alarm waits for an arrival.
  case alreadyInside = "already_inside"
  /// The crossing was before the alarm was made, or before its item last changed.
  case beforeAlarm = "before_alarm"
  /// It is limited to other hours, days or dates.
  case outsideWindow = "outside_window"
  /// It is limited to once, or once a day, and has already gone off.
  case wentOffBefore = "went_off_before"
  /// It is older than the limit for late positions.
  case tooLate = "too_late"
}
