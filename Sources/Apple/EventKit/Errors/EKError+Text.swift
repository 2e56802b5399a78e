import FencepostCalendarStore
import FencepostConfiguration
import Foundation

extension EKError {
  /// One of our errors, with a text; `detail` names the subject.
  static func make(_ code: Code, _ detail: String? = nil) -> EKError {
    let text = detail.map { "\(code.text) (\($0))" } ?? code.text
    return EKError(code, userInfo: [NSLocalizedDescriptionKey: text])
  }

  /// Converts an error of the store. The text contains no file name, because apps show and log it.
  static func make(_ error: any Error) -> EKError {
    if let error = error as? EKError { return error }
    let text =
      switch error {
      case let error as StoreError: "\(error.complaint.prefix(1).uppercased())\(error.complaint.dropFirst())."
      case let error as ConfigurationError: "Fencepost's settings can't be read: \(error.complaint)."
      default: Code.internalFailure.text
      }
    return EKError(.internalFailure, userInfo: [NSLocalizedDescriptionKey: text])
  }
}

extension EKError.Code {
  /// One sentence with the problem and its solution.
  var text: String {
    switch self {
    case .eventNotMutable: "This event can't be changed: its calendar is read-only."
    case .noCalendar: "No calendar has been set. Set the item's calendar before saving it."
    case .noStartDate: "No start date has been set. Set the event's startDate before saving it."
    case .noEndDate: "No end date has been set. Set the event's endDate before saving it."
    case .datesInverted: "The start date must be before the end date."
    case .internalFailure: "An internal error occurred in the store."
    case .calendarReadOnly: "That calendar is read-only."
    case .durationGreaterThanRecurrence: "The event lasts longer than the time between its occurrences."
    case .alarmGreaterThanRecurrence: "An alarm is earlier than the previous occurrence."
    case .startDateTooFarInFuture: "The start date is too far in the future."
    case .startDateCollidesWithOtherOccurrence:
      "Another occurrence of this event already starts at the same time."
    case .objectBelongsToDifferentStore:
      "This object belongs to another event store. Use the objects of one store only."
    case .invitesCannotBeMoved: "An event that somebody else organizes can't be moved to another calendar."
    case .invalidSpan:
      "The rules of a detached occurrence can't be changed. Change the rules of its series."
    case .calendarHasNoSource: "The calendar has no source. Set its source before saving it."
    case .calendarSourceCannotBeModified:
      "A saved calendar can't be moved to another source."
    case .calendarIsImmutable: "That calendar can't be changed or removed."
    case .sourceDoesNotAllowCalendarAddDelete:
      "That account does not allow calendars to be added or removed."
    case .recurringReminderRequiresDueDate: "A recurring reminder must have a due date."
    case .structuredLocationsNotSupported: "That account does not support locations of this kind."
    case .reminderLocationsNotSupported: "That account does not support locations on reminders."
    case .alarmProximityNotSupported: "That account does not support alarms that go off at a place."
    case .calendarDoesNotAllowEvents: "That calendar does not allow events to be added to it."
    case .calendarDoesNotAllowReminders: "That calendar does not allow reminders to be added to it."
    case .sourceDoesNotAllowReminders: "That account does not support reminders."
    case .sourceDoesNotAllowEvents: "That account does not support events."
    case .priorityIsInvalid: "The priority is not valid. It must be from 0 to 9."
    case .invalidEntityType: "The kind of item is not valid."
    case .procedureAlarmsNotMutable: "Alarms that open a URL can't be created or changed."
    case .eventStoreNotAuthorized:
      "This app has no access to the store. Request it first; `fencepost access` shows "
        + "and changes the decision."
    case .osNotSupported: "This is not supported on this system."
    case .invalidInviteReplyCalendar: "Invitations can't be answered from that calendar."
    case .notificationsCollectionFlagNotSet: "The notification's collection flag is not set."
    case .sourceMismatch: "The objects belong to different sources."
    case .notificationCollectionMismatch: "The notifications belong to different collections."
    case .notificationSavedWithoutCollection: "The notification was saved without a collection."
    case .reminderAlarmContainsEmailOrUrl: "An alarm of a reminder can't send an e-mail or open a URL."
    case .last: "Unknown error."
    }
  }
}
