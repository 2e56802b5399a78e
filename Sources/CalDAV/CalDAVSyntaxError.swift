/// A body that can't be read, or does not say what it must.
public struct CalDAVSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line: what is wrong.
  public var description: String

  init(_ description: String) { self.description = description }
}
