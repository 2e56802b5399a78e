/// Why something could not be exchanged with other programs.
public struct InterchangeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, and what to do where that is known.
  public var message: String

  /// An error.
  public init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}
