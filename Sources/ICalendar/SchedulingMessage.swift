public import CalendarModel

/// What one component of a message between calendars asks for (iTIP, RFC 5546), where that is not an item to take as it
/// stands: PUBLISH and REQUEST bring items.
public struct SchedulingMessage: Hashable, Sendable {
  /// The methods whose components are no items.
  public enum Method: String, Hashable, Sendable, CaseIterable {
    case reply = "REPLY"
    case cancel = "CANCEL"
    case add = "ADD"
    case refresh = "REFRESH"
    case counter = "COUNTER"
    case declineCounter = "DECLINECOUNTER"
  }

  /// What is to be done.
  public var method: Method
  /// The component's name, such as `VEVENT`.
  public var component: String
  /// The file and line on which it begins.
  public var file: String
  /// The line on which it begins, counted from 1.
  public var line: Int
  /// The UID of the item that it is about.
  public var uid: String
  /// The occurrence that it is about; `nil` for the item as a whole.
  public var detachment: CalendarItem.Detachment?
  /// The revision of the item that it is about; SEQUENCE.
  public var sequence: Int
  /// When it was made; DTSTAMP.
  public var stamp: Instant?
  /// ATTENDEE: of a reply, who replies.
  public var attendees: [Participant]

  /// True where it is about an event, and false for a reminder; `nil` for anything else.
  public var isEvent: Bool? {
    switch component {
    case "VEVENT": true
    case "VTODO": false
    default: nil
    }
  }

  /// The identifier that an item for the occurrence that it is about gets where a file tells it.
  public var itemID: Identifier<CalendarItem> { Identity.item(uid: uid, occurrence: detachment?.occurrence) }
}
