public import FoundationEssentials

/// A calendar on a server: a collection of objects (RFC 4791, section 4.2).
public struct RemoteCalendar: Hashable, Sendable {
  /// Its address.
  public var url: URL
  /// What identifies it: its normalized path, with the host if that is another one than the home's.
  public var name: String
  /// Its title; `nil` if the server gives none.
  public var title: String?
  /// Its colour, in the server's form: `#RRGGBB` or `#RRGGBBAA`.
  public var color: String?
  /// Whether it accepts events.
  public var takesEvents: Bool
  /// Whether it accepts reminders.
  public var takesReminders: Bool
  /// False if the user can't change its objects.
  public var isWritable: Bool
  /// Changes with its contents (CalendarServer's getctag); `nil` if the server has none.
  public var changeTag: String?
  /// The token of its current state (RFC 6578); `nil` if the server gives none.
  public var token: String?
  /// Whether it reports changes (RFC 6578).
  public var canSync: Bool
  /// Whether it pushes changes of its objects (WebDAV-Push over Web Push).
  public var canPush = false
  /// The public key by which the server signs what it pushes (VAPID), as base64url; `nil` if it names none.
  public var pushKey: String?
  /// Where the server keeps the registration of this client, which need not hear of its own changes; `nil`
  /// for none.
  public var registration: String?
  /// The identifier of the list that it is or is a copy of, if the server is a store like this one.
  public var origin: String?
}
