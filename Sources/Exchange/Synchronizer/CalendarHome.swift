import FencepostCalDAV
import FencepostCalDAVClient
import FencepostCalendarModel
import FencepostReconciliation
import FoundationEssentials

/// The calendars of a user on the other side.
protocol CalendarHome {
  /// All calendars.
  func calendars() throws -> [RemoteCalendar]

  /// Creates a calendar, unless there is one of this name.
  ///
  /// - Returns: Its path.
  func create(_ segment: String, title: String, color: String?, components: [String]) throws -> String

  /// Changes the title or colour of a calendar.
  ///
  /// - Returns: False if the other side does not take it.
  func change(_ calendar: URL, title: String?, color: String?) throws -> Bool

  /// Removes a calendar with all that is in it.
  func remove(_ calendar: RemoteCalendar) throws

  /// The objects of a calendar.
  func objects(of calendar: RemoteCalendar) -> any SyncPeer

  /// Asks to push changes of a calendar.
  ///
  /// - Returns: Where the other side keeps the registration, and when it ends.
  func register(
    _ registration: PushRegistration, for calendar: RemoteCalendar
  ) throws -> (address: URL, expires: Instant?)

  /// Ends a registration.
  func unregister(_ address: URL) throws
}

extension CalDAVHome: CalendarHome {
  func objects(of calendar: RemoteCalendar) -> any SyncPeer { collection(calendar) }
}
