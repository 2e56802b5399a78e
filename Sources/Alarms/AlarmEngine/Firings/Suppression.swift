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
  /// It is for a whole list, in which nothing else is open.
  case nothingOpen = "nothing_open"
}

extension Suppression {
  /// Why an alarm did not go off, in words.
  public var words: String {
    switch self {
    case .otherDevice: "it is for other devices"
    case .alreadyInside: "the device was already there"
    case .beforeAlarm: "it happened before the alarm was created"
    case .outsideWindow: "outside its hours, days or dates"
    case .wentOffBefore: "it fired already, and is limited to once or once a day"
    case .tooLate: "it was too long ago"
    case .nothingOpen: "nothing is open in its list"
    }
  }
}
