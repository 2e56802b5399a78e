public import CalendarModel

/// Something that may go into a calendar: a booking or a calendar that a mail, a page or a file brought.
public struct Suggestion: Hashable, Sendable, Identifiable {
  /// What became of it.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// It waits for an answer.
    case proposed
    /// It is in a calendar.
    case accepted
    /// The answer was no.
    case rejected
    /// A later one took its place.
    case superseded
    /// It was called off.
    case cancelled
  }

  /// Its identifier.
  public var id: Identifier<Suggestion>
  /// What was booked: `flight`, `hotel` and so on.
  public var kind: String
  /// Who took the booking; empty if it is not known.
  public var provider = ""
  /// The number of the booking; empty if it has none.
  public var reference = ""
  /// Which part of the booking it is; empty for a booking of one part.
  public var leg = ""
  /// What became of it.
  public var state = State.proposed
  /// The name of its event.
  public var title: String
  /// When it starts.
  public var start: CalendarTime?
  /// The original: JSON-LD of a reservation, or a calendar (``isCalendar``).
  public var content: String
  /// The domain of the mail's sender.
  public var sender: String?
  /// True if the sender's domain signed the mail.
  public var isSigned = false
  /// The mail's Message-ID.
  public var message: String?
  /// When it was found.
  public var found: Instant
  /// When its state or content last changed.
  public var changed: Instant
  /// The event that it became.
  public var item: Identifier<CalendarItem>?
  /// The suggestion that it brings up to date, if it is accepted.
  public var replaces: Identifier<Suggestion>?

  /// A suggestion that waits for an answer.
  public init(
    id: Identifier<Suggestion> = .random(), kind: String, title: String, content: String, found: Instant
  ) {
    self.id = id
    self.kind = kind
    self.title = title
    self.content = content
    self.found = found
    changed = found
  }

  /// True if its content is an iCalendar file.
  public var isCalendar: Bool { content.hasPrefix("BEGIN:VCALENDAR") }
}
