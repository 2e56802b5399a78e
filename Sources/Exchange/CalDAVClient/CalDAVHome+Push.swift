public import FencepostCalDAV
public import FencepostCalendarModel
import FencepostWebClient
public import FoundationEssentials

/// WebDAV-Push (draft-bitfire-webdav-push).
extension CalDAVHome {
  /// Asks the server to push changes of a calendar. A registration of the same endpoint is replaced.
  ///
  /// - Returns: Where the server keeps the registration, and when it ends, if the server says so.
  /// - Throws: ``DAVFailure``; of the kind forbidden if the server refuses.
  public func register(
    _ registration: PushRegistration, for calendar: RemoteCalendar
  ) throws -> (address: URL, expires: Instant?) {
    let answer = try session.send("POST", calendar.url, body: registration.document)
    let headers = answer.response.headers
    guard (200..<300).contains(answer.response.status), let location = headers["location"],
      let address = URL(string: location, relativeTo: answer.url)?.absoluteURL
    else {
      throw DAVFailure(
        .forbidden,
        "the server does not register pushes: it answered \(answer.response.status)"
          + DAVSession.reason(Precondition(parsing: answer.response.body)))
    }
    return (address, headers["expires"].flatMap(HTTPDate.instant))
  }

  /// Ends a registration. One that is gone is no failure.
  ///
  /// - Parameter address: Where the server keeps it. One on another host is left to expire.
  /// - Throws: ``DAVFailure``.
  public func unregister(_ address: URL) throws {
    guard address.host == url.host else { return }
    _ = try session.send("DELETE", address)
  }
}
