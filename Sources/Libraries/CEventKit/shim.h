#pragma once

/// An enumeration as Apple's headers have it (NS_ENUM): each number is a value, also one that has no name yet. So
/// a program that reads such a value and writes it back loses nothing, which a Swift enumeration can't do.
#define FENCEPOST_OPEN_ENUM(type, name) typedef enum __attribute__((enum_extensibility(open))) name : type

/// The event at a place that triggers an alarm.
FENCEPOST_OPEN_ENUM(long, EKAlarmProximity) {
  /// None: the alarm is not at a place.
  EKAlarmProximityNone = 0,
  /// A device enters.
  EKAlarmProximityEnter = 1,
  /// A device leaves.
  EKAlarmProximityLeave = 2,
} EKAlarmProximity;

/// The action of an alarm.
FENCEPOST_OPEN_ENUM(long, EKAlarmType) {
  /// Shows a text.
  EKAlarmTypeDisplay = 0,
  /// Plays a sound.
  EKAlarmTypeAudio = 1,
  /// Opens a URL.
  EKAlarmTypeProcedure = 2,
  /// Sends an e-mail.
  EKAlarmTypeEmail = 3,
} EKAlarmType;

/// Common priorities. A reminder's priority may be any number from 0 to 9.
FENCEPOST_OPEN_ENUM(unsigned long, EKReminderPriority) {
  EKReminderPriorityNone = 0,
  EKReminderPriorityHigh = 1,
  EKReminderPriorityMedium = 5,
  EKReminderPriorityLow = 9,
} EKReminderPriority;

/// The availability during an event.
FENCEPOST_OPEN_ENUM(long, EKEventAvailability) {
  /// The calendar does not support availability.
  EKEventAvailabilityNotSupported = -1,
  EKEventAvailabilityBusy = 0,
  EKEventAvailabilityFree = 1,
  EKEventAvailabilityTentative = 2,
  EKEventAvailabilityUnavailable = 3,
} EKEventAvailability;

/// The status of an event.
FENCEPOST_OPEN_ENUM(long, EKEventStatus) {
  EKEventStatusNone = 0,
  EKEventStatusConfirmed = 1,
  EKEventStatusTentative = 2,
  EKEventStatusCanceled = 3,
} EKEventStatus;

/// A kind of calendar item.
FENCEPOST_OPEN_ENUM(unsigned long, EKEntityType) {
  /// Events.
  EKEntityTypeEvent = 0,
  /// Reminders.
  EKEntityTypeReminder = 1,
} EKEntityType;

/// An app's permission for events or reminders.
FENCEPOST_OPEN_ENUM(long, EKAuthorizationStatus) {
  /// The user has not decided yet.
  EKAuthorizationStatusNotDetermined = 0,
  /// No access, and the user can't change that in the app: the store's policy is closed.
  EKAuthorizationStatusRestricted = 1,
  /// No access: the user denied it.
  EKAuthorizationStatusDenied = 2,
  /// Full access.
  EKAuthorizationStatusFullAccess = 3,
  /// The app can add events, but not read them.
  EKAuthorizationStatusWriteOnly = 4,
} EKAuthorizationStatus;

/// The occurrences of a recurring event that a change applies to.
FENCEPOST_OPEN_ENUM(long, EKSpan) {
  /// Only this occurrence.
  EKSpanThisEvent = 0,
  /// This occurrence and all later ones.
  EKSpanFutureEvents = 1,
} EKSpan;

/// The kind of a calendar. The order differs from ``EKSourceType``.
FENCEPOST_OPEN_ENUM(long, EKCalendarType) {
  EKCalendarTypeLocal = 0,
  EKCalendarTypeCalDAV = 1,
  EKCalendarTypeExchange = 2,
  EKCalendarTypeSubscription = 3,
  EKCalendarTypeBirthday = 4,
} EKCalendarType;

/// The kind of a source.
FENCEPOST_OPEN_ENUM(long, EKSourceType) {
  EKSourceTypeLocal = 0,
  EKSourceTypeExchange = 1,
  EKSourceTypeCalDAV = 2,
  EKSourceTypeMobileMe = 3,
  EKSourceTypeSubscribed = 4,
  EKSourceTypeBirthdays = 5,
} EKSourceType;

/// The type of a participant.
FENCEPOST_OPEN_ENUM(long, EKParticipantType) {
  EKParticipantTypeUnknown = 0,
  EKParticipantTypePerson = 1,
  EKParticipantTypeRoom = 2,
  EKParticipantTypeResource = 3,
  EKParticipantTypeGroup = 4,
} EKParticipantType;

/// The role of a participant.
FENCEPOST_OPEN_ENUM(long, EKParticipantRole) {
  EKParticipantRoleUnknown = 0,
  EKParticipantRoleRequired = 1,
  EKParticipantRoleOptional = 2,
  EKParticipantRoleChair = 3,
  EKParticipantRoleNonParticipant = 4,
} EKParticipantRole;

/// The answer of a participant.
FENCEPOST_OPEN_ENUM(long, EKParticipantStatus) {
  EKParticipantStatusUnknown = 0,
  EKParticipantStatusPending = 1,
  EKParticipantStatusAccepted = 2,
  EKParticipantStatusDeclined = 3,
  EKParticipantStatusTentative = 4,
  EKParticipantStatusDelegated = 5,
  EKParticipantStatusCompleted = 6,
  EKParticipantStatusInProcess = 7,
} EKParticipantStatus;

/// The delivery status of an invitation.
FENCEPOST_OPEN_ENUM(long, EKParticipantScheduleStatus) {
  EKParticipantScheduleStatusNone = 0,
  EKParticipantScheduleStatusPending = 1,
  EKParticipantScheduleStatusSent = 2,
  EKParticipantScheduleStatusDelivered = 3,
  EKParticipantScheduleStatusRecipientNotRecognized = 4,
  EKParticipantScheduleStatusNoPrivileges = 5,
  EKParticipantScheduleStatusDeliveryFailed = 6,
  EKParticipantScheduleStatusCannotDeliver = 7,
  EKParticipantScheduleStatusRecipientNotAllowed = 8,
} EKParticipantScheduleStatus;

/// A day of the week.
FENCEPOST_OPEN_ENUM(long, EKWeekday) {
  EKWeekdaySunday = 1,
  EKWeekdayMonday = 2,
  EKWeekdayTuesday = 3,
  EKWeekdayWednesday = 4,
  EKWeekdayThursday = 5,
  EKWeekdayFriday = 6,
  EKWeekdaySaturday = 7,
} EKWeekday;

/// The frequency of a rule.
FENCEPOST_OPEN_ENUM(long, EKRecurrenceFrequency) {
  EKRecurrenceFrequencyDaily = 0,
  EKRecurrenceFrequencyWeekly = 1,
  EKRecurrenceFrequencyMonthly = 2,
  EKRecurrenceFrequencyYearly = 3,
} EKRecurrenceFrequency;
