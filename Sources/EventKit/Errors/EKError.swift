public import Foundation

/// The domain of EventKit's errors.
public let EKErrorDomain: String = "EKErrorDomain"

/// Why EventKit could not do what was asked.
///
/// Catch it as on Apple's systems: `catch EKError.noCalendar`, `error as? EKError`, or as an `NSError` of
/// ``EKErrorDomain``. Its description says what to do.
public struct EKError: _BridgedStoredNSError {
  /// The error as `NSError`.
  public let _nsError: NSError

  /// The error in `error`, whose domain must be ``EKErrorDomain``.
  public init(_nsError error: NSError) {
    _nsError = error
  }

  /// ``EKErrorDomain``.
  public static var _nsErrorDomain: String { EKErrorDomain }

  /// ``EKErrorDomain``.
  public static var errorDomain: String { EKErrorDomain }

  /// The codes, with Apple's numbers.
  public enum Code: Int, Sendable, _ErrorCodeProtocol {
    /// The error that has these codes.
    public typealias _ErrorType = EKError

    /// The event is read-only.
    case eventNotMutable = 0
    /// An item has no calendar.
    case noCalendar = 1
    /// An event has no start.
    case noStartDate = 2
    /// An event has no end.
    case noEndDate = 3
    /// The end is before the start.
    case datesInverted = 4
    /// Something failed inside.
    case internalFailure = 5
    /// The calendar takes no changes of its items.
    case calendarReadOnly = 6
    /// Occurrences would overlap.
    case durationGreaterThanRecurrence = 7
    /// An alarm would go off before the occurrence before.
    case alarmGreaterThanRecurrence = 8
    /// The start is later than the store can tell.
    case startDateTooFarInFuture = 9
    /// Another occurrence starts at the same time.
    case startDateCollidesWithOtherOccurrence = 10
    /// An object of another store.
    case objectBelongsToDifferentStore = 11
    /// An invitation can't change its calendar.
    case invitesCannotBeMoved = 12
    /// The span can't be applied.
    case invalidSpan = 13
    /// A calendar has no source.
    case calendarHasNoSource = 14
    /// A saved calendar's source can't change.
    case calendarSourceCannotBeModified = 15
    /// The calendar can't be changed or removed.
    case calendarIsImmutable = 16
    /// The source takes no calendars.
    case sourceDoesNotAllowCalendarAddDelete = 17
    /// A repeating reminder has no due date.
    case recurringReminderRequiresDueDate = 18
    /// The source takes no places.
    case structuredLocationsNotSupported = 19
    /// The source takes no places of reminders.
    case reminderLocationsNotSupported = 20
    /// The source takes no proximity alarms.
    case alarmProximityNotSupported = 21
    /// The calendar takes no events.
    case calendarDoesNotAllowEvents = 22
    /// The calendar takes no reminders.
    case calendarDoesNotAllowReminders = 23
    /// The source takes no reminders.
    case sourceDoesNotAllowReminders = 24
    /// The source takes no events.
    case sourceDoesNotAllowEvents = 25
    /// A priority is none of 0 to 9.
    case priorityIsInvalid = 26
    /// No such kind of item.
    case invalidEntityType = 27
    /// An alarm that opens something can't be made or changed.
    case procedureAlarmsNotMutable = 28
    /// The app has no access.
    case eventStoreNotAuthorized = 29
    /// The system can't do this.
    case osNotSupported = 30
    /// An invitation can't be answered from that calendar.
    case invalidInviteReplyCalendar = 31
    /// A notification has no collection flag.
    case notificationsCollectionFlagNotSet = 32
    /// Objects are of unlike sources.
    case sourceMismatch = 33
    /// Notifications are of unlike collections.
    case notificationCollectionMismatch = 34
    /// A notification has no collection.
    case notificationSavedWithoutCollection = 35
    /// A reminder's alarm sends or opens something.
    case reminderAlarmContainsEmailOrUrl = 36
    /// The number after the last; Apple's own use.
    case last = 37
  }
}

extension EKError {
  /// The event is read-only.
  public static var eventNotMutable: EKError.Code { .eventNotMutable }
  /// An item has no calendar.
  public static var noCalendar: EKError.Code { .noCalendar }
  /// An event has no start.
  public static var noStartDate: EKError.Code { .noStartDate }
  /// An event has no end.
  public static var noEndDate: EKError.Code { .noEndDate }
  /// The end is before the start.
  public static var datesInverted: EKError.Code { .datesInverted }
  /// Something failed inside.
  public static var internalFailure: EKError.Code { .internalFailure }
  /// The calendar takes no changes of its items.
  public static var calendarReadOnly: EKError.Code { .calendarReadOnly }
  /// Occurrences would overlap.
  public static var durationGreaterThanRecurrence: EKError.Code { .durationGreaterThanRecurrence }
  /// An alarm would go off before the occurrence before.
  public static var alarmGreaterThanRecurrence: EKError.Code { .alarmGreaterThanRecurrence }
  /// The start is later than the store can tell.
  public static var startDateTooFarInFuture: EKError.Code { .startDateTooFarInFuture }
  /// Another occurrence starts at the same time.
  public static var startDateCollidesWithOtherOccurrence: EKError.Code {
    .startDateCollidesWithOtherOccurrence
  }
  /// An object of another store.
  public static var objectBelongsToDifferentStore: EKError.Code { .objectBelongsToDifferentStore }
  /// An invitation can't change its calendar.
  public static var invitesCannotBeMoved: EKError.Code { .invitesCannotBeMoved }
  /// The span can't be applied.
  public static var invalidSpan: EKError.Code { .invalidSpan }
  /// A calendar has no source.
  public static var calendarHasNoSource: EKError.Code { .calendarHasNoSource }
  /// A saved calendar's source can't change.
  public static var calendarSourceCannotBeModified: EKError.Code { .calendarSourceCannotBeModified }
  /// The calendar can't be changed or removed.
  public static var calendarIsImmutable: EKError.Code { .calendarIsImmutable }
  /// The source takes no calendars.
  public static var sourceDoesNotAllowCalendarAddDelete: EKError.Code { .sourceDoesNotAllowCalendarAddDelete }
  /// A repeating reminder has no due date.
  public static var recurringReminderRequiresDueDate: EKError.Code { .recurringReminderRequiresDueDate }
  /// The source takes no places.
  public static var structuredLocationsNotSupported: EKError.Code { .structuredLocationsNotSupported }
  /// The source takes no places of reminders.
  public static var reminderLocationsNotSupported: EKError.Code { .reminderLocationsNotSupported }
  /// The source takes no proximity alarms.
  public static var alarmProximityNotSupported: EKError.Code { .alarmProximityNotSupported }
  /// The calendar takes no events.
  public static var calendarDoesNotAllowEvents: EKError.Code { .calendarDoesNotAllowEvents }
  /// The calendar takes no reminders.
  public static var calendarDoesNotAllowReminders: EKError.Code { .calendarDoesNotAllowReminders }
  /// The source takes no reminders.
  public static var sourceDoesNotAllowReminders: EKError.Code { .sourceDoesNotAllowReminders }
  /// The source takes no events.
  public static var sourceDoesNotAllowEvents: EKError.Code { .sourceDoesNotAllowEvents }
  /// A priority is none of 0 to 9.
  public static var priorityIsInvalid: EKError.Code { .priorityIsInvalid }
  /// No such kind of item.
  public static var invalidEntityType: EKError.Code { .invalidEntityType }
  /// An alarm that opens something can't be made or changed.
  public static var procedureAlarmsNotMutable: EKError.Code { .procedureAlarmsNotMutable }
  /// The app has no access.
  public static var eventStoreNotAuthorized: EKError.Code { .eventStoreNotAuthorized }
  /// The system can't do this.
  public static var osNotSupported: EKError.Code { .osNotSupported }
  /// An invitation can't be answered from that calendar.
  public static var invalidInviteReplyCalendar: EKError.Code { .invalidInviteReplyCalendar }
  /// A notification has no collection flag.
  public static var notificationsCollectionFlagNotSet: EKError.Code { .notificationsCollectionFlagNotSet }
  /// Objects are of unlike sources.
  public static var sourceMismatch: EKError.Code { .sourceMismatch }
  /// Notifications are of unlike collections.
  public static var notificationCollectionMismatch: EKError.Code { .notificationCollectionMismatch }
  /// A notification has no collection.
  public static var notificationSavedWithoutCollection: EKError.Code { .notificationSavedWithoutCollection }
  /// A reminder's alarm sends or opens something.
  public static var reminderAlarmContainsEmailOrUrl: EKError.Code { .reminderAlarmContainsEmailOrUrl }
  /// The number after the last; Apple's own use.
  public static var last: EKError.Code { .last }
}
