public import FoundationEssentials

/// A calendar of a server: a collection of objects (RFC 4791, section 4.2).
public struct RemoteCalendar: Hashable, Sendable {
  /// Its address.
  public var url: URL
  /// Its path in one spelling, by which it is known.
  public var name: String
  /// Its title; `nil` if the server says none.
  public var title: String?
  /// Its colour, as the server writes it: `#RRGGBB` or `#RRGGBBAA`.
  public var color: String?
  /// Whether it takes events.
  public var takesEvents: Bool
  /// Whether it takes reminders.
  public var takesReminders: Bool
  /// False if the user can't change its objects.
  public var isWritable: Bool
  /// Changes with its contents (CalendarServer's getctag); `nil` if the server has none.
  public var changeTag: String?
  /// The token of its present state (RFC 6578); `nil` if the server says none.
  public var token: String?
  /// Whether it can tell what has changed (RFC 6578).
  public var canSync: Bool
}
