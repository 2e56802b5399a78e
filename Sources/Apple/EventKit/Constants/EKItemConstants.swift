/// The event at a place that triggers an alarm.
public enum EKAlarmProximity: Int, Sendable {
  /// None: the alarm is not at a place.
  case none = 0
  /// A device enters.
  case enter = 1
  /// A device leaves.
  case leave = 2
}

/// The action of an alarm.
public enum EKAlarmType: Int, Sendable {
  /// Shows a text.
  case display = 0
  /// Plays a sound.
  case audio = 1
  /// Opens a URL.
  case procedure = 2
  /// Sends an e-mail.
  case email = 3
}

/// Common priorities. A reminder's priority may be any number from 0 to 9.
public enum EKReminderPriority: UInt, Sendable {
  case none = 0
  case high = 1
  case medium = 5
  case low = 9
}

/// The availability during an event.
public enum EKEventAvailability: Int, Sendable {
  /// The calendar does not support availability.
  case notSupported = -1
  case busy = 0
  case free = 1
  case tentative = 2
  case unavailable = 3
}

/// The status of an event.
public enum EKEventStatus: Int, Sendable {
  case none = 0
  case confirmed = 1
  case tentative = 2
  case canceled = 3
}
