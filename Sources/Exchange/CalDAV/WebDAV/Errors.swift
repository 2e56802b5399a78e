public import FencepostXML

/// A body that can't be read, or lacks something required.
public struct CalDAVSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line with the problem.
  public var description: String
  /// The condition of RFC 4791 that the body does not meet; `nil` if there is no element for it.
  public var condition: XMLName?

  init(_ description: String, condition: XMLName? = nil) {
    self.description = description
    self.condition = condition
  }
}

/// Why a server refuses a request, as an element that clients know (RFC 4918, section 16).
public struct Precondition: Hashable, Sendable {
  /// The failed conditions with their content, for example the address of the other object with the same UID.
  public var conditions: [XMLElement]

  /// Failed conditions.
  public init(_ conditions: [XMLElement]) { self.conditions = conditions }

  /// One condition without content.
  public init(_ name: XMLName) { conditions = [XMLElement(name)] }

  /// Reads the body of an answer with an error; `nil` if it is not a `DAV:error`.
  public init?(parsing bytes: [UInt8]) {
    guard let root = try? XMLElement(parsing: bytes), root.name == .dav("error") else { return nil }
    conditions = root.elements
  }

  /// Whether this condition failed.
  public func has(_ name: XMLName) -> Bool { conditions.contains { $0.name == name } }

  /// As an XML document.
  public var document: [UInt8] { XMLElement(.dav("error"), conditions).document }
}
