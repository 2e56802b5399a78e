/// A command line that the table does not allow: the problem, its place and suggestions.
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of mistake.
  public enum Problem: String, Hashable, Sendable {
    /// No such option at this command.
    case unknownOption
    /// No such subcommand.
    case unknownSubcommand
    /// A command that only groups others was called by itself.
    case missingSubcommand
    /// An option lacks its value.
    case missingValue
    /// A flag was given a value.
    case unexpectedValue
    /// An option that is given once at most was given again.
    case repeatedOption
    /// A required option was not given.
    case missingOption
    /// A required positional was not given.
    case missingPositional
    /// More positionals than the command takes.
    case surplusPositional
    /// A value that is not among the choices, or that the program cannot read.
    case invalidValue
    /// Options that make no sense together, or too few of them.
    case contradiction
  }

  /// The kind of mistake.
  public let problem: Problem
  /// One line for people, without the program's name.
  public let message: String
  /// The word that is at fault, if one is.
  public let word: String?
  /// Its index among the words that were parsed.
  public let index: Int?
  /// The command that the words had led to, from the root: `["fencepost", "add", "reminder"]`.
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
