public import FencepostCalDAV
public import FencepostCalendarModel
import FencepostSpatiotemporal
import FencepostWebClient
import FencepostXML
public import FoundationEssentials

/// The calendars of a user on a server.
public struct CalDAVHome {
  let session: DAVSession
  /// The address of the collection that contains them.
  public let url: URL

  /// The calendars at an address.
  public init(session: DAVSession, url: URL) {
    self.session = session
    self.url = url
  }

  private static let properties: [XMLName] = [
    .dav("resourcetype"), .dav("displayname"), .dav("current-user-privilege-set"), .dav("sync-token"),
    .dav("supported-report-set"), .caldav("supported-calendar-component-set"), .calendarServer("getctag"),
    .apple("calendar-color"), .fencepost("origin"), .push("transports"), .push("topic"),
    .push("supported-triggers"),
  ]

  /// All calendars. One request.
  ///
  /// - Throws: ``DAVFailure``.
  public func calendars() throws -> [RemoteCalendar] {
    let body = PropertyRequest.listed(Self.properties).propfind
    let (multistatus, base) = try session.multistatus("PROPFIND", url, depth: "1", body: body)
    var names: Set<String> = []
    // Some servers name a calendar twice, in two spellings.
    return multistatus.responses.compactMap { calendar($0, base) }.filter { names.insert($0.name).inserted }
  }

  private func calendar(_ response: Multistatus.Response, _ base: URL) -> RemoteCalendar? {
    guard let type = response.property(.dav("resourcetype")), type.has(.caldav("calendar")),
      !type.has(.calendarServer("subscribed")), let segments = Href.segments(of: response.href),
      let url = URL(string: response.href, relativeTo: base)?.absoluteURL
    else { return nil }
    // Without a set, all components (RFC 4791, section 5.2.3).
    let components = response.property(.caldav("supported-calendar-component-set")).map { set in
      Set(set.elements.compactMap { $0.attribute("name")?.uppercased() })
    }
    let privileges = response.property(.dav("current-user-privilege-set")).map { set in
      Set(set.elements.flatMap { $0.elements.map(\.name) })
    }
    let writing: Set<XMLName> = [.dav("all"), .dav("write"), .dav("write-content"), .dav("bind")]
    func text(_ name: XMLName) -> String? {
      response.property(name).map(\.trimmedText).flatMap { $0.isEmpty ? nil : $0 }
    }
    let reports = response.property(.dav("supported-report-set"))?.elements ?? []
    let path = Href.path(segments, isCollection: true)
    let calendar = RemoteCalendar(
      url: url, name: url.place == base.place ? path : url.place + path,
      title: text(.dav("displayname")).flatMap(Self.title), color: text(.apple("calendar-color")),
      takesEvents: components?.contains("VEVENT") ?? true,
      takesReminders: components?.contains("VTODO") ?? true,
      isWritable: privileges.map { !$0.isDisjoint(with: writing) } ?? true,
      changeTag: text(.calendarServer("getctag")), token: text(.dav("sync-token")),
      canSync: reports.contains { $0.first(.dav("report"))?.has(.dav("sync-collection")) ?? false },
      canPush: text(.push("topic")) != nil
        && response.property(.push("transports"))?.has(.push("web-push")) == true
        && response.property(.push("supported-triggers"))?.has(.push("content-update")) != false,
      pushKey: response.property(.push("transports"))?.first(.push("web-push"))?
        .all(.push("vapid-public-key")).first { $0.attribute("type") ?? "p256ecdsa" == "p256ecdsa" }?
        .trimmedText,
      origin: text(.fencepost("origin")))
    return calendar.takesEvents || calendar.takesReminders ? calendar : nil
  }

  /// A title of at most 200 characters without controls; `nil` for an empty one.
  private static func title(_ text: String) -> String? {
    let title = String(text.withoutControls.prefix(200))
    return title.isEmpty ? nil : title
  }

  /// Creates a calendar: with MKCALENDAR, or with the extended MKCOL (RFC 5689) if the server does not
  /// support that.
  ///
  /// - Returns: Its normalized path.
  /// - Throws: ``DAVFailure``.
  public func create(
    _ segment: String, title: String, color: String?, components: [String]
  ) throws -> String {
    guard let parts = Href.segments(of: url.path) else {
      throw DAVFailure(.unreadable, "\(session.shown(url)) is not a usable address")
    }
    let name = Href.path(parts + [segment], isCollection: true)
    guard let target = URL(string: name, relativeTo: url)?.absoluteURL else {
      throw DAVFailure(.unreadable, "'\(segment)' can't be a part of an address")
    }
    var properties = [XMLElement(.dav("displayname"), text: title)]
    if let color { properties.append(XMLElement(.apple("calendar-color"), text: color)) }
    properties.append(
      XMLElement(
        .caldav("supported-calendar-component-set"),
        components.map { XMLElement(.caldav("comp"), attributes: [XMLName("name"): $0]) }))
    let type = XMLElement(
      .dav("resourcetype"), [XMLElement(.dav("collection")), XMLElement(.caldav("calendar"))])
    for creation in [
      CollectionCreation(.mkcalendar, properties: properties), .init(.mkcol, properties: [type] + properties),
    ] {
      let response = try session.send(creation.method.rawValue, target, body: creation.document).response
      switch response.status {
      case 200..<300: return name
      case 405, 409:
        // An earlier request created it, and its answer was lost.
        if try calendars().contains(where: { $0.name == name }) { return name }
      case 501, 415, 400: continue
      default:
        throw DAVFailure(
          .forbidden,
          "the server does not allow new calendars: it answered \(response.status)"
            + DAVSession.reason(Precondition(parsing: response.body)))
      }
    }
    throw DAVFailure(.unsupported, "the server can't create calendars")
  }

  /// Changes the title or colour of a calendar.
  ///
  /// - Returns: False if the server refuses.
  /// - Throws: ``DAVFailure``.
  public func change(_ calendar: URL, title: String?, color: String?) throws -> Bool {
    var changes: [PropertyUpdate.Change] = []
    if let title { changes.append(.set(XMLElement(.dav("displayname"), text: title))) }
    if let color { changes.append(.set(XMLElement(.apple("calendar-color"), text: color))) }
    guard !changes.isEmpty else { return true }
    do {
      let body = PropertyUpdate(changes).document
      let (multistatus, _) = try session.multistatus("PROPPATCH", calendar, depth: "0", body: body)
      return multistatus.responses.allSatisfy { response in
        (response.status ?? 200) < 300 && response.propstats.allSatisfy { $0.status < 300 }
      }
    } catch let failure as DAVFailure where failure.kind == .forbidden || failure.kind == .unsupported {
      return false
    }
  }

  /// Removes a calendar with all its objects. One that is gone is no failure.
  ///
  /// - Throws: ``DAVFailure``; of the kind forbidden or unsupported if the server does not allow it.
  public func remove(_ calendar: RemoteCalendar) throws {
    let response = try session.send("DELETE", calendar.url).response
    switch response.status {
    case 200..<207, 208..<300, 404, 410: return
    case 207, 403, 409:
      // A multistatus names what could not be removed (RFC 4918, section 9.6.1).
      throw DAVFailure(
        .forbidden,
        "the server does not let the calendar be removed: it answered \(response.status)"
          + DAVSession.reason(Precondition(parsing: response.body)))
    default:
      throw DAVFailure(.unsupported, "the server can't remove calendars: it answered \(response.status)")
    }
  }

  /// The objects of a calendar.
  public func collection(_ calendar: RemoteCalendar) -> CalDAVCollection {
    CalDAVCollection(session: session, calendar: calendar)
  }
}

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
