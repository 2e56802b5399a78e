/// A command or subcommand as data.
///
/// Backquotes in texts mark literal words, as in "`--list` names one". Help, manual pages and completions
/// each show them in their own way.
///
/// The program defines `Action`, which runs a command. The table only stores it.
public struct Command<Action: Sendable>: Sendable {
  /// The word that calls it; at the root, the program's name.
  public var name: String
  /// Other words that call it. They are accepted and documented, but not completed.
  public var aliases: [String]
  /// What it does: an imperative phrase without a full stop.
  public var summary: String
  /// The paragraphs of long help and the manual.
  public var discussion: [String]
  /// Typical command lines.
  public var examples: [Example]
  /// Options of this command alone.
  public var options: [Option]
  /// Options of this command and of every command below it.
  public var sharedOptions: [Option]
  /// Its positionals, in order.
  public var positionals: [Positional]
  /// The commands below it.
  public var subcommands: [Command]
  /// Whether a command with subcommands also runs without one.
  public var runsAlone: Bool
  /// The default subcommand: `add Milk` is `add reminder Milk`.
  public var fallback: String?
  /// The heading in its parent's help; the default is "Commands".
  public var category: String?
  /// Words that people try below it, with the line to suggest instead. They are not accepted.
  public var hints: [String: String]
  /// Whether help, manual and completions omit it.
  public var isHidden: Bool
  /// The action that runs the command; `nil` for a command that only groups others.
  public var action: Action?

  /// A command.
  public init(
    _ name: String, aliases: [String] = [], summary: String, discussion: [String] = [],
    examples: [Example] = [], options: [Option] = [], sharedOptions: [Option] = [],
    positionals: [Positional] = [], subcommands: [Command] = [], runsAlone: Bool = false,
    fallback: String? = nil, category: String? = nil, hints: [String: String] = [:], isHidden: Bool = false,
    action: Action? = nil
  ) {
    self.name = name
    self.aliases = aliases
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.options = options
    self.sharedOptions = sharedOptions
    self.positionals = positionals
    self.subcommands = subcommands
    self.runsAlone = runsAlone
    self.fallback = fallback
    self.category = category
    self.hints = hints
    self.isHidden = isHidden
    self.action = action
  }

  /// The command with a category in its parent's help.
  public func under(_ category: String) -> Command {
    var command = self
    command.category = category
    return command
  }

  /// Whether it requires a subcommand.
  public var needsSubcommand: Bool { !subcommands.isEmpty && !runsAlone }

  /// The usual `help [COMMAND…]`. Its action finds the command with ``CommandTable/node(at:)``.
  public static func help(_ action: Action) -> Command {
    Command(
      Reserved.help, summary: "Show the help of a command",
      positionals: [
        Positional(.command, .zeroOrMore, "The command and its subcommand", completion: .commands)
      ], action: action)
  }

  /// The hidden `candidates KIND [WORD…]`, which completion scripts call for ``Completion/program(_:)``, with
  /// the typed words before the completed one. Its action prints one candidate per line, with an optional
  /// description after a tab.
  public static func candidates(_ action: Action) -> Command {
    Command(
      Reserved.candidates, summary: "Print what a shell may offer",
      positionals: [
        Positional(.kind, .required, "What is to be completed"),
        Positional(.line, .zeroOrMore, "The words before it", metavariable: "WORD"),
      ], isHidden: true, action: action)
  }
}

/// The names of the commands that help and completions refer to.
enum Reserved {
  static let help = "help"
  static let candidates = "candidates"
}

/// A command line and its description.
public struct Example: Hashable, Sendable {
  /// The line as typed, with the program's name.
  public var line: String
  /// The description: a phrase without a full stop.
  public var shows: String

  /// An example.
  public init(_ line: String, _ shows: String) {
    self.line = line
    self.shows = shows
  }
}
