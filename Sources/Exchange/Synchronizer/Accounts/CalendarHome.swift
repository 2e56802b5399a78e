import FencepostCalDAV
import FencepostCalDAVClient
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostJSON
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

  /// What the other side does about invitations; `nil` if it does not say.
  func scheduling() throws -> CalDAVScheduling?
}

extension CalendarHome {
  func scheduling() throws -> CalDAVScheduling? { nil }
}

extension CalDAVHome: CalendarHome {
  func objects(of calendar: RemoteCalendar) -> any SyncPeer { collection(calendar) }
}

/// What is known of a server: what it says it can do, and what it did with what it was sent. `nil` for what
/// is not known yet.
public struct ServerCapabilities: Hashable, Sendable {
  /// How a server tells what has changed.
  public enum ChangeReport: String, Hashable, Sendable {
    /// Objects that changed since a token (RFC 6578).
    case syncCollection = "sync-collection"
    /// A tag of the whole collection, and the ETags of all objects.
    case collectionTag = "ctag"
    /// The ETags of all objects.
    case entityTags = "etags"
  }

  /// How it tells what has changed.
  public var changes: ChangeReport?
  /// True if a list of it takes both events and reminders.
  public var mixesKinds: Bool?
  /// Whether it creates lists.
  public var createsLists: Bool?
  /// Whether it says the ETag of an object that it was sent.
  public var saysTags: Bool?
  /// Whether it keeps an object as it was sent.
  public var keepsTexts: Bool?
  /// Whether it keeps the coordinates of places. False stays: later ones are sent in a spelling that it
  /// keeps.
  public var keepsPlaces: Bool?
  /// Whether it tells organizers about answers to invitations (RFC 6638).
  public var schedules: Bool?
  /// The user's addresses there.
  public var addresses: [String]?

  /// Nothing is known.
  public init() {}

  /// What is known of the server of an account.
  public init(of account: SyncAccount) {
    guard let known = try? JSONValue(readingCommented: Array(account.capabilities.utf8), maxDepth: 3) else {
      return
    }
    changes = known["changes"]?.text.flatMap { ChangeReport(rawValue: $0) }
    mixesKinds = known["mixes_kinds"]?.flag
    createsLists = known["creates_lists"]?.flag
    saysTags = known["says_tags"]?.flag
    keepsTexts = known["keeps_texts"]?.flag
    keepsPlaces = known["keeps_places"]?.flag
    schedules = known["schedules"]?.flag
    addresses = known["addresses"]?.list?.compactMap(\.text)
  }

  /// As a JSON object with the keys that are known.
  public var json: String {
    var line = JSONLine()
    if let changes { line.add("changes", changes.rawValue) }
    let flags = [
      ("mixes_kinds", mixesKinds), ("creates_lists", createsLists), ("says_tags", saysTags),
      ("keeps_texts", keepsTexts), ("keeps_places", keepsPlaces), ("schedules", schedules),
    ]
    for (name, flag) in flags { if let flag { line.add(name, flag) } }
    if let addresses { line.add("addresses", addresses) }
    return line.line
  }

  /// What people should know of it; empty if it has no known limits.
  public var limits: [String] {
    var limits: [String] = []
    if changes == .entityTags { limits.append("lists all items at each look") }
    if createsLists == false { limits.append("creates no lists") }
    if keepsPlaces == false { limits.append("cuts places") }
    if keepsTexts == false { limits.append("rewrites items") }
    return limits
  }

  /// Adds what was learned later.
  mutating func learn(_ later: ServerCapabilities) {
    changes = later.changes ?? changes
    mixesKinds = later.mixesKinds ?? mixesKinds
    createsLists = later.createsLists ?? createsLists
    saysTags = later.saysTags ?? saysTags
    keepsTexts = later.keepsTexts ?? keepsTexts
    schedules = later.schedules ?? schedules
    addresses = later.addresses ?? addresses
    if keepsPlaces != false { keepsPlaces = later.keepsPlaces ?? keepsPlaces }
  }
}
