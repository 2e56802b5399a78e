/// The name of an element or attribute: a namespace and a local name (Namespaces in XML 1.0).
public struct XMLName: Hashable, Sendable, CustomStringConvertible {
  /// The namespace's address; empty for none.
  public var namespace: String
  /// The name without a prefix.
  public var local: String

  /// A name.
  public init(namespace: String = "", _ local: String) {
    self.namespace = namespace
    self.local = local
  }

  /// `{namespace}local`, for messages.
  public var description: String { namespace.isEmpty ? local : "{\(namespace)}\(local)" }

  /// A name of WebDAV (RFC 4918).
  public static func dav(_ local: String) -> XMLName { XMLName(namespace: XMLNamespace.dav, local) }

  /// A name of CalDAV (RFC 4791).
  public static func caldav(_ local: String) -> XMLName { XMLName(namespace: XMLNamespace.caldav, local) }

  /// A name of Apple's calendar server, for example `getctag`.
  public static func calendarServer(_ local: String) -> XMLName {
    XMLName(namespace: XMLNamespace.calendarServer, local)
  }

  /// A name of Apple's calendar app, for example `calendar-color`.
  public static func apple(_ local: String) -> XMLName { XMLName(namespace: XMLNamespace.apple, local) }

  /// A name of Fencepost's own, for example `origin`.
  public static func fencepost(_ local: String) -> XMLName {
    XMLName(namespace: XMLNamespace.fencepost, local)
  }

  /// A name of WebDAV-Push.
  public static func push(_ local: String) -> XMLName { XMLName(namespace: XMLNamespace.push, local) }
}

/// The namespaces that CalDAV's clients and servers use.
public enum XMLNamespace {
  /// WebDAV (RFC 4918).
  public static let dav = "DAV:"
  /// CalDAV (RFC 4791).
  public static let caldav = "urn:ietf:params:xml:ns:caldav"
  /// Apple's calendar server.
  public static let calendarServer = "http://calendarserver.org/ns/"
  /// Apple's calendar app.
  public static let apple = "http://apple.com/ns/ical/"
  /// WebDAV-Push (draft-bitfire-webdav-push).
  public static let push = "https://bitfire.at/webdav-push"
  /// Fencepost's own.
  public static let fencepost = "urn:x-fencepost"
  /// Attributes such as `xml:lang`, whose prefix needs no declaration.
  static let xml = "http://www.w3.org/XML/1998/namespace"
}
