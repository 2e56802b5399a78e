public import FencepostXML

/// The body of a 207 answer: the results for several resources (RFC 4918, section 13).
public struct Multistatus: Hashable, Sendable {
  /// One resource.
  public struct Response: Hashable, Sendable {
    /// Its address, as it is written in the answer. See ``Href/segments(of:)``.
    public var href: String
    /// The status of the resource as a whole; `nil` if its properties have one each.
    public var status: Int?
    /// Its properties by status.
    public var propstats: [Propstat]
    /// The failed conditions (``Precondition``), with their content.
    public var conditions: [XMLElement]

    /// A resource with properties.
    public init(href: String, propstats: [Propstat]) {
      self.href = href
      self.propstats = propstats
      conditions = []
    }

    /// A resource with a status.
    public init(href: String, status: Int, conditions: [XMLElement] = []) {
      self.href = href
      self.status = status
      propstats = []
      self.conditions = conditions
    }

    /// A property with a status of 2xx in the answer.
    public func property(_ name: XMLName) -> XMLElement? {
      for propstat in propstats where (200..<300).contains(propstat.status) {
        if let property = propstat.properties.first(where: { $0.name == name }) { return property }
      }
      return nil
    }
  }

  /// The properties of a resource that share a status.
  public struct Propstat: Hashable, Sendable {
    /// The status.
    public var status: Int
    /// The properties; empty elements if the status is an error.
    public var properties: [XMLElement]
    /// The failed conditions.
    public var conditions: [XMLElement]

    /// Properties with a status.
    public init(status: Int, properties: [XMLElement], conditions: [XMLElement] = []) {
      self.status = status
      self.properties = properties
      self.conditions = conditions
    }
  }

  /// The resources.
  public var responses: [Response]
  /// The collection's state after this answer (RFC 6578, section 6.4).
  public var syncToken: String?

  /// An answer.
  public init(_ responses: [Response], syncToken: String? = nil) {
    self.responses = responses
    self.syncToken = syncToken
  }
}

extension Multistatus {
  /// Limits for a server's answer: 256 MiB. A list of 200,000 objects with their tags has some 60.
  public static let limits = XMLReader.Limits(bytes: 256 << 20, elements: 8_000_000)

  /// Reads the body of an answer.
  ///
  /// Accepts what servers write: any prefixes, elements in any order, a status in the response or in its
  /// propstats, several addresses with one status. Skips a response without an address; one without a status
  /// counts as 200.
  ///
  /// - Throws: ``CalDAVSyntaxError`` if it is not XML, or not a multistatus.
  public init(parsing bytes: [UInt8], limits: XMLReader.Limits = limits) throws(CalDAVSyntaxError) {
    let root = try XMLElement(parsing: bytes, limits: limits)
    guard root.name == .dav("multistatus") else {
      throw CalDAVSyntaxError("expected DAV:multistatus, but the answer is \(root.name)")
    }
    responses = root.all(.dav("response")).flatMap(Response.all)
    syncToken = root.first(.dav("sync-token"))?.trimmedText
  }

  /// As an XML document.
  public var document: [UInt8] {
    let token = syncToken.map { [XMLElement(.dav("sync-token"), text: $0)] } ?? []
    return XMLElement(.dav("multistatus"), elements + token).document
  }

  /// The responses as elements. A property of the report expand-property contains such elements too.
  public var elements: [XMLElement] { responses.map(\.xml) }
}

extension Multistatus.Response {
  /// The responses of one `DAV:response`: one for each address in it.
  fileprivate static func all(_ element: XMLElement) -> [Self] {
    let status = element.first(.dav("status")).flatMap { StatusLine.code($0.trimmedText) }
    let propstats = element.all(.dav("propstat")).map(Multistatus.Propstat.init)
    let conditions = element.first(.dav("error"))?.elements ?? []
    return element.hrefs.filter { !$0.isEmpty }.map { href in
      var response = Self(href: href, propstats: propstats)
      response.status = status
      response.conditions = conditions
      return response
    }
  }

  fileprivate var xml: XMLElement {
    var parts = [XMLElement(.dav("href"), text: href)]
    if let status { parts.append(XMLElement(.dav("status"), text: StatusLine.text(status))) }
    parts += propstats.map(\.xml)
    if !conditions.isEmpty { parts.append(XMLElement(.dav("error"), conditions)) }
    return XMLElement(.dav("response"), parts)
  }
}

extension Multistatus.Propstat {
  fileprivate init(_ element: XMLElement) {
    status = element.first(.dav("status")).flatMap { StatusLine.code($0.trimmedText) } ?? 200
    properties = element.first(.dav("prop"))?.elements ?? []
    conditions = element.first(.dav("error"))?.elements ?? []
  }

  fileprivate var xml: XMLElement {
    var parts = [
      XMLElement(.dav("prop"), properties), XMLElement(.dav("status"), text: StatusLine.text(status)),
    ]
    if !conditions.isEmpty { parts.append(XMLElement(.dav("error"), conditions)) }
    return XMLElement(.dav("propstat"), parts)
  }
}

/// The text of a status within a multistatus, for example `HTTP/1.1 200 OK` (RFC 4918, section 14.28).
enum StatusLine {
  /// The status code in `text`; `nil` if it has none.
  static func code(_ text: String) -> Int? {
    let parts = text.split(whereSeparator: \.isWhitespace)
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/"), let code = Int(parts[1]), (100...999).contains(code)
    else { return nil }
    return code
  }

  /// The text of `code`.
  static func text(_ code: Int) -> String { "HTTP/1.1 \(code) \(reasons[code] ?? "Status")" }

  private static let reasons = [
    200: "OK", 201: "Created", 204: "No Content", 403: "Forbidden", 404: "Not Found", 409: "Conflict",
    412: "Precondition Failed", 424: "Failed Dependency", 500: "Internal Server Error",
    507: "Insufficient Storage",
  ]
}
