public import FencepostXML

/// The body of MKCALENDAR (RFC 4791, section 5.3.1) or of the extended MKCOL (RFC 5689): the properties of a
/// new collection.
public struct CollectionCreation: Hashable, Sendable {
  /// The method.
  public enum Method: String, Hashable, Sendable {
    /// Creates a calendar.
    case mkcalendar = "MKCALENDAR"
    /// Creates a collection of the type that the properties name.
    case mkcol = "MKCOL"
  }

  /// The method.
  public var method: Method
  /// The properties that it sets.
  public var properties: [XMLElement]

  /// A new collection.
  public init(_ method: Method, properties: [XMLElement]) {
    self.method = method
    self.properties = properties
  }

  /// Reads the body of a request. It can be empty.
  ///
  /// - Throws: ``CalDAVSyntaxError`` if it is not XML, or is for another method.
  public init(_ method: Method, parsing bytes: [UInt8]) throws(CalDAVSyntaxError) {
    self.method = method
    properties = []
    guard !bytes.isEmpty else { return }
    let root = try XMLElement(parsing: bytes)
    guard root.name == Self.rootName(of: method) else {
      throw CalDAVSyntaxError("expected \(Self.rootName(of: method)), but the body is \(root.name)")
    }
    properties = root.all(.dav("set")).flatMap { $0.settings() }
  }

  /// The body of the request.
  public var document: [UInt8] {
    XMLElement(
      Self.rootName(of: method), [XMLElement(.dav("set"), [XMLElement(.dav("prop"), properties)])]
    ).document
  }

  /// Whether it requests a calendar.
  public var makesCalendar: Bool {
    method == .mkcalendar
      || properties.contains { $0.name == .dav("resourcetype") && $0.has(.caldav("calendar")) }
  }

  private static func rootName(of method: Method) -> XMLName {
    method == .mkcalendar ? .caldav("mkcalendar") : .dav("mkcol")
  }
}
