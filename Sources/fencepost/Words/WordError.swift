/// A word on the command line that could not be read, with how to say it.
struct WordError: Error, CustomStringConvertible {
  var description: String

  init(_ what: String, _ word: some StringProtocol, try examples: String) {
    description = "'\(word)' is no \(what); try \(examples)"
  }

  private init(_ description: String) { self.description = description }

  /// An error in other words.
  static func plain(_ description: String) -> WordError { WordError(description) }
}
