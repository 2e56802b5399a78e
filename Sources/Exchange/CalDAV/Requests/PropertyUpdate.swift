public import FencepostXML

/// The body of PROPPATCH: changes of properties, in their order (RFC 4918, section 9.2).
public struct PropertyUpdate: Hashable, Sendable {
  /// One change.
  public enum Change: Hashable, Sendable {
    /// Sets a property.
    case set(XMLElement)
    /// Removes a property.
    case remove(XMLName)

    /// The property.
    public var name: XMLName {
      switch self {
      case .set(let property): property.name
      case .remove(let name): name
      }
    }
  }

  /// The changes.
  public var changes: [Change]

  /// Changes in their order.
  public init(_ changes: [Change]) { self.changes = changes }

  /// Reads the body of PROPPATCH.
  ///
  /// - Throws: ``CalDAVSyntaxError`` if it is not XML, or changes nothing.
  public init(parsing bytes: [UInt8]) throws(CalDAVSyntaxError) {
    let root = try XMLElement(parsing: bytes)
    guard root.name == .dav("propertyupdate") else {
      throw CalDAVSyntaxError("expected DAV:propertyupdate, but the body is \(root.name)")
    }
    changes = root.elements.flatMap { element -> [Change] in
      switch element.name {
      case .dav("set"): element.settings(language: root.language).map(Change.set)
      case .dav("remove"): element.all(.dav("prop")).flatMap(\.elements).map { .remove($0.name) }
      default: []
      }
    }
    guard !changes.isEmpty else { throw CalDAVSyntaxError("DAV:propertyupdate changes no property") }
  }

  /// The body of PROPPATCH.
  public var document: [UInt8] {
    let parts = changes.map { change in
      switch change {
      case .set(let property): XMLElement(.dav("set"), [XMLElement(.dav("prop"), [property])])
      case .remove(let name): XMLElement(.dav("remove"), [XMLElement(.dav("prop"), [XMLElement(name)])])
      }
    }
    return XMLElement(.dav("propertyupdate"), parts).document
  }
}

extension XMLElement {
  /// Its language.
  fileprivate var language: String? { attributes[.xmlLanguage] }

  /// The properties that a `DAV:set` sets. They inherit the language of an outer element (RFC 4918, section
  /// 4.3).
  func settings(language outer: String? = nil) -> [XMLElement] {
    all(.dav("prop")).flatMap { prop in
      prop.elements.map { property in
        var property = property
        property.attributes[.xmlLanguage] = property.language ?? prop.language ?? language ?? outer
        return property
      }
    }
  }
}

extension XMLName {
  fileprivate static let xmlLanguage = XMLName(namespace: XMLName.xmlNamespace, "lang")
}
