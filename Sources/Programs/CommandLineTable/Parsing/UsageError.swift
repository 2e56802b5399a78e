/// A command line that the table does not allow: the problem, its place and suggestions.
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of mistake.
  public enum Problem: String, Hashable, Sendable {
    /// No such option at this command.
    case unknownOption
    /// No such subcommand.
    case unknownSubcommand
    /// A command that only groups others, without a subcommand.
    case missingSubcommand
    /// An option lacks its value.
    case missingValue
    /// A flag with a value.
    case unexpectedValue
    /// An option that may be given only once.
    case repeatedOption
    /// A required option is missing.
    case missingOption
    /// A required positional is missing.
    case missingPositional
    /// More positionals than the command takes.
    case surplusPositional
    /// A value that is not among the choices, or that the program cannot read.
    case invalidValue
    /// Options that contradict each other or need others.
    case contradiction
  }

  /// The kind of mistake.
  public let problem: Problem
  /// One line for people, without the program's name.
  public let message: String
  /// The wrong word, if there is one.
  public let word: String?
  /// Its index in the parsed words.
  public let index: Int?
  /// The command that the words lead to, from the root: `["fencepost", "add", "reminder"]`.
  public let path: [String]
  /// Suggestions, the most likely first.
  public let suggestions: [String]

  /// The message.
  public var description: String { message }

  /// The command line that shows the help to read: `fencepost help add reminder`.
  public var helpLine: String {
    ([path.first ?? "", "help"] + path.dropFirst()).joined(separator: " ")
  }

  init(
    _ problem: Problem, _ message: String, word: String? = nil, index: Int? = nil, path: [String],
    suggestions: [String] = []
  ) {
    self.problem = problem
    self.word = word
    self.index = index
    self.path = path
    self.suggestions = suggestions
    guard !suggestions.isEmpty else {
      self.message = message
      return
    }
    self.message = "\(message); did you mean \(Self.list(suggestions.map { "'\($0)'" }))?"
  }

  /// "a", "a or b", "a, b or c".
  static func list(_ items: [String]) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return "\(items.dropLast().joined(separator: ", ")) or \(last)"
  }
}
