public import FencepostCalendarModel
import FencepostRecurrence

extension ICalendarWriter {
  /// The text of a REPLY (RFC 5546, section 3.2.3): the answer of one attendee to an invitation.
  ///
  /// - Parameters:
  ///   - item: The event as the organizer sent it, with its SEQUENCE and RECURRENCE-ID.
  ///   - attendee: The attendee with the answer.
  ///   - comment: What the attendee writes to the organizer.
  ///   - now: The time of the answer.
  public func reply(
    to item: CalendarItem, by attendee: Participant, comment: String?, at now: Instant
  ) -> String {
    var answer = CalendarItem(
      calendar: item.calendar, uid: item.uid, title: item.title, details: item.details)
    answer.location = item.location
    answer.timeZone = item.anchor?.zone
    answer.sequence = item.sequence
    answer.detachment = item.detachment
    answer.organizer = item.organizer
    answer.event?.status = .none
    var own = attendee
    own.isCurrentUser = false
    // What the organizer asks of an attendee is no part of the answer.
    own.preservedParameters.removeAll { parameter in
      ["RSVP=", "SCHEDULE-", "X-"].contains { parameter.uppercased().hasPrefix($0) }
    }
    answer.attendees = [own]
    answer.preserved.properties = ["DTSTAMP:\(CalendarTime(now).basicText)"]
    if let comment, !comment.isEmpty {
      answer.preserved.properties.append("COMMENT:\(TextValue.encode(comment))")
    }
    var document = ICalendarDocument(items: [answer])
    document.method = "REPLY"
    return text(of: document)
  }
}
