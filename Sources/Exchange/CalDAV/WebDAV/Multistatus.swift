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
