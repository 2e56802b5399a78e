public import FencepostXML

extension XMLName {
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

  /// The prefixes that the root of each document declares.
  static let prefixes = [dav: "D", caldav: "C", calendarServer: "CS", apple: "A"]
}

extension XMLElement {
  /// The root of a body.
  ///
  /// - Throws: ``CalDAVSyntaxError`` if it is not well-formed XML, has a document type, or exceeds a limit.
  init(parsing bytes: [UInt8], limits: XMLReader.Limits = XMLReader.Limits()) throws(CalDAVSyntaxError) {
    do throws(XMLSyntaxError) {
      self = try XMLReader.read(bytes, limits: limits)
    } catch {
      throw CalDAVSyntaxError(error.description)
    }
  }

  /// The document with this root. It declares the prefixes of WebDAV, CalDAV and Apple.
  public var document: [UInt8] { XMLWriter.document(self, prefixes: XMLNamespace.prefixes) }

  /// The addresses in it: the texts of its `DAV:href` elements.
  public var hrefs: [String] { all(.dav("href")).map(\.trimmedText) }

  /// An element that contains one address.
  public static func href(_ href: String, in name: XMLName) -> XMLElement {
    XMLElement(name, [XMLElement(.dav("href"), text: href)])
  }
}
