public import CalendarModel

/// One part of a file, as ``ICalendarReader`` hands them out.
public enum ICalendarPart: Sendable {
  /// A calendar begins, and its parts follow. A file may hold several.
  case header(ICalendarHeader)
  /// An event or a reminder.
  case item(CalendarItem)
  /// What a message asks for: no item, but something about one.
  case message(SchedulingMessage)
  /// A component of another kind, such as a VJOURNAL.
  case other(PreservedComponent)
}

/// What a calendar says of itself before its components.
public struct ICalendarHeader: Hashable, Sendable {
  /// Its name: NAME of RFC 7986, or X-WR-CALNAME.
  public var name: String?
  /// Its colour: X-APPLE-CALENDAR-COLOR, or COLOR of RFC 7986.
  public var color: Color?
  /// What its components are to do, where they are messages of RFC 5546 rather than items.
  public var method: SchedulingMessage.Method?

  /// A calendar that says nothing of itself.
  public init() {}
}
