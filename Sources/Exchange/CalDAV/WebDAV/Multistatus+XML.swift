public import FencepostXML

extension Multistatus {
  /// Limits for a server's answer: 64 MiB.
  public static let limits = XMLReader.Limits(bytes: 64 << 20, elements: 4_000_000)

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
