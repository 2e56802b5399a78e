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
