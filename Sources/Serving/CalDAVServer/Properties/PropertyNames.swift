import FencepostCalDAV
import FencepostXML

/// The properties of this server.
enum PropertyNames {
  /// The properties for `allprop` (RFC 4918, section 9.1): cheap ones, and no others of CalDAV (RFC 4791,
  /// section 5.2).
  static let all: [XMLName] = [
    .dav("resourcetype"), .dav("displayname"), .dav("getetag"), .dav("getcontenttype"),
    .dav("getcontentlength"),
    .dav("getlastmodified"), .dav("creationdate"), .dav("supportedlock"), .dav("lockdiscovery"),
  ]

  /// The others.
  static let more: [XMLName] = [
    .dav("current-user-principal"), .dav("principal-URL"), .dav("owner"), .dav("current-user-privilege-set"),
    .dav("supported-report-set"), .dav("principal-collection-set"), .dav("sync-token"),
    .dav("alternate-URI-set"),
    .dav("group-membership"), .caldav("calendar-home-set"), .caldav("calendar-user-address-set"),
    .caldav("calendar-user-type"), .caldav("supported-calendar-component-set"),
    .caldav("supported-calendar-data"),
    .caldav("supported-collation-set"), .caldav("max-resource-size"), .calendarServer("getctag"),
    .apple("calendar-color"), .caldav("schedule-calendar-transp"), .push("transports"), .push("topic"),
    .push("supported-triggers"), .fencepost("origin"),
  ]

  /// The properties that a client can set and that have an effect here.
  static let settable: Set<XMLName> = [.dav("displayname"), .apple("calendar-color")]

  /// The properties that a client can't set.
  static let protected: Set<XMLName> =
    Set(all + more + [.caldav("calendar-data")]).subtracting(settable)
    .subtracting([.caldav("schedule-calendar-transp")])
}
