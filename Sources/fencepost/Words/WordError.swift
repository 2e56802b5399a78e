/// A word on the command line that could not be read, with how to say it.
struct WordError: Error, CustomStringConvertible {
  var description: String

  init(_ what: String, _ word: some StringProtocol, try examples: String) {
    description = "'\(word)' is no \(what); try \(examples)"
  }
}
