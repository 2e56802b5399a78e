/// A one-line error for a phrase that can't be read, with examples of correct input.
public struct WordError: Error, Sendable, CustomStringConvertible {
  /// The problem and the solution.
  public var description: String

  /// `invalid WHAT 'WORD'; try EXAMPLES`.
  public init(_ what: String, _ word: some StringProtocol, try examples: String) {
    description = "invalid \(what) '\(word)'; try \(examples)"
  }

  private init(_ description: String) { self.description = description }

  /// An error with its own text.
  public static func plain(_ description: String) -> WordError { WordError(description) }
}
