public import FencepostCalendarModel

/// A part of a file from ``ICalendarReader``.
public enum ICalendarPart: Sendable {
  /// The start of a calendar; its parts follow. A file may contain several.
  case header(ICalendarHeader)
  /// A zone, for the items that follow.
  case timeZone(TimeZoneDefinition)
  /// An event or a reminder.
  case item(CalendarItem)
  /// An iTIP message about an item.
  case message(SchedulingMessage)
  /// Another component, for example a VJOURNAL.
  case other(PreservedComponent)
}

/// The properties of a calendar before its components.
public struct ICalendarHeader: Hashable, Sendable {
  /// Its name: NAME of RFC 7986, or X-WR-CALNAME.
  public var name: String?
  /// Its colour: X-APPLE-CALENDAR-COLOR, or COLOR of RFC 7986.
  public var color: Color?
  /// The method, if the components are iTIP messages (RFC 5546) instead of items.
  public var method: SchedulingMessage.Method?

  /// A header without values.
  public init() {}
}
