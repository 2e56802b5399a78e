/// What a shell offers where a value is due.
public enum Completion: Hashable, Sendable {
  /// Nothing.
  case none
  /// Files with one of these extensions (without the dot), and directories; all files if there are none.
  case file(extensions: [String] = [])
  /// Directories.
  case directory
  /// One of these words. The parser takes no other.
  case choices([String])
  /// The names of commands and of their subcommands.
  case commands
  /// What the program itself prints when ``Command/candidates`` is called with this word, one candidate a line.
  case program(String)

  /// The only words accepted, if they are limited.
  public var choices: [String]? {
    if case .choices(let choices) = self { choices } else { nil }
  }
}
