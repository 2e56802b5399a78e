/// The completions of a value.
public enum Completion: Hashable, Sendable {
  /// Nothing.
  case none
  /// Files with one of these extensions (without the dot), and directories; all files if empty.
  case file(extensions: [String] = [])
  /// Directories.
  case directory
  /// One of these words. The parser rejects all others.
  case choices([String])
  /// The names of commands and of their subcommands.
  case commands
  /// The output of the program's ``Command/candidates(_:)`` with this word, one candidate per line.
  case program(String)

  /// The accepted words, if limited.
  public var choices: [String]? {
    if case .choices(let choices) = self { choices } else { nil }
  }
}
