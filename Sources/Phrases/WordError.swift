/// Words that could not be read, with how to say it: one line.
public struct WordError: Error, Sendable, CustomStringConvertible {
  /// What is wrong, and what to write instead.
  public var description: String

  /// `'WORD' is no WHAT; try EXAMPLES`.
  public init(_ what: String, _ word: some StringProtocol, try examples: String) {
    description = "'\(word)' is no \(what); try \(examples)"
  }

  private init(_ description: String) { self.description = description }

  /// An error in other words.
  public static func plain(_ description: String) -> WordError { WordError(description) }
}
