import CalDAV
import CalendarModel
public import CalendarStore
public import Clients
public import Recurrence
public import Spatiotemporal
public import WebServer

/// The store as a CalDAV account (RFC 4791), as a site of a server: `/.well-known/caldav` and everything below `/dav/`.
///
/// | address | resource |
/// |---|---|
/// | `/dav/` | says who the client is |
/// | `/dav/principals/USER/` | the client |
/// | `/dav/calendars/USER/` | its home: the lists that it may see |
/// | `/dav/calendars/USER/LIST/` | a calendar or list, by its identifier |
/// | `/dav/calendars/USER/LIST/NAME.ics` | the items of one UID |
/// | `/dav/files/USER/` | files that the client keeps, by plain WebDAV |
public final class CalDAVServer: Sendable {
  let store: CalendarStore
  let clients: ClientRegistry
  let resolver: TimeResolver
  let clock: @Sendable () -> Instant
  let listings = Listings()

  /// A site over `store`.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - clients: Who may do what.
  ///   - resolver: The zones, and the zone of floating times.
  ///   - clock: Returns the current time.
  public init(
    store: CalendarStore, clients: ClientRegistry, resolver: TimeResolver,
    clock: @escaping @Sendable () -> Instant
  ) {
    self.store = store
    self.clients = clients
    self.resolver = resolver
    self.clock = clock
  }

  /// Authenticates the clients.
  public var gate: some HTTPGate { CalDAVGate(clients: clients) }

  /// The path of a client's home.
  ///
  /// - Parameter user: The client's user name.
  public static func homePath(ofUser user: String) -> String {
    Href.path(["dav", "calendars", user], isCollection: true)
  }

  /// The path of a one-time address that sets up an Apple device (``ClientRegistry/makeProfileKey(user:password:)``).
  public static func profilePath(key: String) -> String { AccountProfile.path(key: key) }

  /// Answers a request that the gate has admitted. Blocks while it uses the store.
  public func answer(_ request: HTTPRequest) -> HTTPResponse {
    var response: HTTPResponse
    do {
      if request.principal == nil, let key = AccountProfile.key(in: request.head) {
        guard let (user, password) = try clients.redeemProfile(key: key) else { throw DAVFailure.notFound }
        return AccountProfile(for: request.head, user: user, password: password).response
      }
      response = try Call(self, request).answer()
    } catch let failure as DAVFailure {
      response = failure.response
    } catch let error as CalDAVSyntaxError {
      response = .refusal(400, error.description)
    } catch {
      response = .refusal(503, "the store can't be used now: \(error)", headers: ["Retry-After": "10"])
    }
    response.headers["DAV"] = Self.features
    return response
  }

  /// The supported features (RFC 4918, section 18; RFC 4791, section 5.1; RFC 5689, section 3.1). Class 2
  /// would mean locks.
  static let features = "1, 3, calendar-access, extended-mkcol"
}
