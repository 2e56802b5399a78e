import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostRecurrence
import FencepostReservations

/// What attendees answer, propose or ask (REPLY and COUNTER of RFC 5546).
extension SuggestionInbox {
  /// What an attendee answers, proposes or asks. Without the event in the calendar it means nothing.
  func take(
    answer message: Invitation.Message, _ uid: String, _ known: KnownEvent, from document: ScannedDocument,
    in writer: borrowing StoreWriter
  ) throws -> Change? {
    guard let event = known.items.first(where: { $0.detachment == nil }) ?? known.items.first,
      let answer = message.main.message, answer.method == .reply || answer.method == .counter,
      let attendee = answer.attendees.first, let target = target(of: answer, among: known.items),
      case .changed(let changed) = answer.effect(on: target, since: nil)
    else { return nil }
    let invitation = Invitation(uid, message)
    var suggestion = set(invitation, in: Suggestion("", at: now), from: document)
    let who = target.attendees.first { $0.isSame(as: attendee.url) }?.name ?? attendee.name
    let name = who ?? Participant.normal(attendee.url)
    suggestion.leg = Self.answerMark + Participant.normal(attendee.url) + " " + message.main.leg
    suggestion.title = "\(name) \(Self.words(of: answer, attendee)): \(event.title)"
    suggestion.start = changed.start ?? suggestion.start
    suggestion.provider = name
    suggestion.item = event.id
    try save(suggestion, about: uid, in: writer)
    guard answer.method == .reply, acceptsUpdates || isFromAttendee(message, of: target, document),
      let accepted = try acceptIfPossible(suggestion, in: writer)
    else { return Change(outcome: .proposed, suggestion: suggestion) }
    return Change(outcome: .updated, suggestion: accepted)
  }

  /// The item that an answer is about: the event, or an occurrence that it has; `nil` if it has none such.
  private func target(of answer: SchedulingMessage, among items: [CalendarItem]) -> CalendarItem? {
    let items = items.filter { $0.calendar == items.first?.calendar }
    guard let occurrence = answer.detachment?.occurrence else {
      return items.first { $0.detachment == nil }
    }
    let leg = Invitation.leg(answer.detachment, resolver)
    return items.first { self.leg(of: $0) == leg }
      ?? EditableSeries(items, resolver: resolver)?.detachedItem(for: occurrence, newID: answer.itemID)
  }

  /// Whether a signed mail comes from the address of the invited attendee for whom it answers. What a reply
  /// itself says of who may answer for whom does not count.
  private func isFromAttendee(
    _ message: Invitation.Message, of event: CalendarItem, _ document: ScannedDocument
  ) -> Bool {
    guard let sender = document.sender, isSigned(document), !message.isBundle else { return false }
    return event.attendees.contains { $0.isSame(as: sender.address) }
      && message.parts.allSatisfy { part in
        part.message.map { $0.attendees.allSatisfy { $0.isSame(as: sender.address) } } ?? false
      }
  }

  private static func words(of answer: SchedulingMessage, _ attendee: Participant) -> String {
    if answer.method == .counter { return "proposes a change" }
    return switch attendee.status {
    case .accepted: "accepts"
    case .declined: "declines"
    case .tentative: "may come"
    case .delegated: "sends somebody else"
    default: "answers"
    }
  }
}
