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

/// A kind of calendar item.
public enum EKEntityType: UInt, Sendable {
  /// Events.
  case event = 0
  /// Reminders.
  case reminder = 1
}

/// Kinds of calendar items.
public struct EKEntityMask: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// The set with the bits of `rawValue`.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Events.
  public static let event = EKEntityMask(rawValue: 1)
  /// Reminders.
  public static let reminder = EKEntityMask(rawValue: 2)
}

/// An app's permission for events or reminders.
public enum EKAuthorizationStatus: Int, Sendable {
  /// The user has not decided yet.
  case notDetermined = 0
  /// No access, and the user can't change that in the app: the store's policy is closed.
  case restricted = 1
  /// No access: the user denied it.
  case denied = 2
  /// Full access.
  case fullAccess = 3
  /// The app can add events, but not read them.
  case writeOnly = 4

  /// The older name of ``fullAccess``, from before write-only access.
  @available(*, deprecated, renamed: "fullAccess")
  public static var authorized: EKAuthorizationStatus { .fullAccess }
}

/// The occurrences of a recurring event that a change applies to.
public enum EKSpan: Int, Sendable {
  /// Only this occurrence.
  case thisEvent = 0
  /// This occurrence and all later ones.
  case futureEvents = 1
}

/// The kind of a calendar. The order differs from ``EKSourceType``.
public enum EKCalendarType: Int, Sendable {
  case local = 0
  case calDAV = 1
  case exchange = 2
  case subscription = 3
  case birthday = 4
}

/// The kind of a source.
public enum EKSourceType: Int, Sendable {
  case local = 0
  case exchange = 1
  case calDAV = 2
  case mobileMe = 3
  case subscribed = 4
  case birthdays = 5
}

/// The availabilities that the events of a calendar support; empty for none.
public struct EKCalendarEventAvailabilityMask: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// The set with the bits of `rawValue`.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Busy.
  public static let busy = EKCalendarEventAvailabilityMask(rawValue: 1)
  /// Free.
  public static let free = EKCalendarEventAvailabilityMask(rawValue: 2)
  /// Tentative.
  public static let tentative = EKCalendarEventAvailabilityMask(rawValue: 4)
  /// Unavailable.
  public static let unavailable = EKCalendarEventAvailabilityMask(rawValue: 8)
}

/// The type of a participant.
public enum EKParticipantType: Int, Sendable {
  case unknown = 0
  case person = 1
  case room = 2
  case resource = 3
  case group = 4
}

/// The role of a participant.
public enum EKParticipantRole: Int, Sendable {
  case unknown = 0
  case required = 1
  case optional = 2
  case chair = 3
  case nonParticipant = 4
}

/// The answer of a participant.
public enum EKParticipantStatus: Int, Sendable {
  case unknown = 0
  case pending = 1
  case accepted = 2
  case declined = 3
  case tentative = 4
  case delegated = 5
  case completed = 6
  case inProcess = 7
}

/// The delivery status of an invitation.
public enum EKParticipantScheduleStatus: Int, Sendable {
  case none = 0
  case pending = 1
  case sent = 2
  case delivered = 3
  case recipientNotRecognized = 4
  case noPrivileges = 5
  case deliveryFailed = 6
  case cannotDeliver = 7
  case recipientNotAllowed = 8
}

/// A day of the week.
public enum EKWeekday: Int, Sendable {
  case sunday = 1
  case monday = 2
  case tuesday = 3
  case wednesday = 4
  case thursday = 5
  case friday = 6
  case saturday = 7

  /// The older name of ``sunday``.
  @available(*, deprecated, renamed: "sunday")
  public static var EKSunday: EKWeekday { .sunday }
  /// The older name of ``monday``.
  @available(*, deprecated, renamed: "monday")
  public static var EKMonday: EKWeekday { .monday }
  /// The older name of ``tuesday``.
  @available(*, deprecated, renamed: "tuesday")
  public static var EKTuesday: EKWeekday { .tuesday }
  /// The older name of ``wednesday``.
  @available(*, deprecated, renamed: "wednesday")
  public static var EKWednesday: EKWeekday { .wednesday }
  /// The older name of ``thursday``.
  @available(*, deprecated, renamed: "thursday")
  public static var EKThursday: EKWeekday { .thursday }
  /// The older name of ``friday``.
  @available(*, deprecated, renamed: "friday")
  public static var EKFriday: EKWeekday { .friday }
  /// The older name of ``saturday``.
  @available(*, deprecated, renamed: "saturday")
  public static var EKSaturday: EKWeekday { .saturday }
}

/// The frequency of a rule.
public enum EKRecurrenceFrequency: Int, Sendable {
  case daily = 0
  case weekly = 1
  case monthly = 2
  case yearly = 3
}
