import FencepostCalDAV
import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostClients
public import FencepostRecurrence
public import FencepostSpatiotemporal
public import FencepostWebPush
public import FencepostWebServer
import FoundationEssentials
import Synchronization

/// The store as a CalDAV account (RFC 4791), as a site of a server: `/.well-known/caldav` and everything
/// below `/dav/`.
///
/// | address | resource |
/// |---|---|
/// | `/dav/` | says who the client is |
/// | `/dav/principals/USER/` | the client |
/// | `/dav/calendars/USER/` | its home: the lists that it may see |
/// | `/dav/calendars/USER/LIST/` | a calendar or list, by its identifier |
/// | `/dav/calendars/USER/LIST/NAME.ics` | the items of one UID |
public final class CalDAVServer: Sendable {
  let store: CalendarStore
  let clients: ClientRegistry
  let resolver: TimeResolver
  let clock: @Sendable () -> Instant
  let listings = Listings()
  let pushReach: PushReach
  private let authority: Data?
  private let identity = Mutex<PushIdentity?>(nil)

  /// A site over `store`.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - clients: Who may do what.
  ///   - resolver: The zones, and the zone of floating times.
  ///   - pushReach: The addresses that clients may ask to push changes to.
  ///   - certificates: The server's certificates in PEM, if it uses TLS. If the last is of an authority of
  ///     its own, profiles
  ///     for Apple's devices contain that.
  ///   - clock: Returns the current time.
  public init(
    store: CalendarStore, clients: ClientRegistry, resolver: TimeResolver, pushReach: PushReach = PushReach(),
    certificates: String? = nil, clock: @escaping @Sendable () -> Instant
  ) {
    self.pushReach = pushReach
    authority = certificates.flatMap(OwnAuthority.certificate)
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

  /// The path of a one-time address that sets up an Apple device
  /// (``ClientRegistry/makeProfileKey(user:password:)``).
  public static func profilePath(key: String) -> String { AccountProfile.path(key: key) }

  /// Answers a request that the gate has admitted. Blocks while it uses the store.
  public func answer(_ request: HTTPRequest) -> HTTPResponse {
    var response: HTTPResponse
    do {
      if AuthorityProfile.isWanted(by: request.head) {
        return AuthorityProfile.response(to: request.head, authority)
      }
      if request.principal == nil, let key = AccountProfile.key(in: request.head) {
        guard let (user, password) = try clients.redeemProfile(key: key) else { throw DAVRefusal.notFound }
        return AccountProfile(for: request.head, user: user, password: password, authority: authority)
          .response
      }
      try preparePushes()
      response = try DAVRequest(self, request).answer()
    } catch let failure as DAVRefusal {
      response = failure.response
    } catch let error as CalDAVSyntaxError {
      response =
        error.condition.map { DAVRefusal($0, error.description).response }
        ?? .refusal(400, error.description)
    } catch let error as StoreError where error.reason == .diskFull {
      response = .refusal(507, "the disk is full")
    } catch {
      // What is wrong names files of this machine.
      response = .refusal(503, "the store can't be used now", headers: ["Retry-After": "10"])
    }
    response.headers["DAV"] = Self.features
    return response
  }

  /// Who pushes changes; `nil` until ``preparePushes()``.
  var pushIdentity: PushIdentity? { identity.withLock { $0 } }

  /// Reads the key that signs pushes, or makes it: outside of a transaction, because that writes.
  private func preparePushes() throws {
    guard pushIdentity == nil else { return }
    let key = try clients.pushKey()
    identity.withLock { $0 = PushIdentity(key: key) }
  }

  /// What it can do (RFC 4918, section 18; RFC 4791, section 5.1; RFC 5689, section 3.1). Class 2 would be
  /// locks.
  static let features = "1, 3, calendar-access, extended-mkcol, webdav-push"
}
