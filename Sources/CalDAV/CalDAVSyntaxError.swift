/// A body that can't be read, or lacks something required.
public struct CalDAVSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line with the problem.
  public var description: String

  init(_ description: String) { self.description = description }
}
