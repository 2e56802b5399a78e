/// What a device must do at an alarm's place.
public enum EKAlarmProximity: Int, Sendable {
  /// Nothing: the alarm is none of place.
  case none = 0
  /// Come in.
  case enter = 1
  /// Go out.
  case leave = 2
}

/// What an alarm does.
public enum EKAlarmType: Int, Sendable {
  /// Shows a text.
  case display = 0
  /// Plays a sound.
  case audio = 1
  /// Opens something.
  case procedure = 2
  /// Sends an e-mail.
  case email = 3
}

/// The priorities that programs offer; a reminder's may be any of 0 to 9.
public enum EKReminderPriority: UInt, Sendable {
  case none = 0
  case high = 1
  case medium = 5
  case low = 9
}

/// Whether an event takes the time.
public enum EKEventAvailability: Int, Sendable {
  /// The calendar doesn't say such things.
  case notSupported = -1
  case busy = 0
  case free = 1
  case tentative = 2
  case unavailable = 3
}

/// Whether an event takes place.
public enum EKEventStatus: Int, Sendable {
  case none = 0
  case confirmed = 1
  case tentative = 2
  case canceled = 3
}
