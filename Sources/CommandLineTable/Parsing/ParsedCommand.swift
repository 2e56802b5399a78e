/// A parsed command line.
///
/// - Precondition: Each lookup names an option or positional that the command declares or inherits. Names are
///   literals of the program, so a wrong one is a bug of its own, never the user's.
public struct ParsedCommand: Sendable {
  /// The command at its place in the tree.
  public let node: CommandNode
  /// Whether an option such as `--help` was given, so that what the command demands was not looked for.
  public let isInterrupted: Bool

  /// Whether the last command is a ``Command/fallback``.
  public let isFallback: Bool

  let occurrences: [String: [Occurrence]]
  let positionals: [String: [Argument]]

  init(
    node: CommandNode, occurrences: [String: [Occurrence]], positionals: [String: [Argument]],
    isInterrupted: Bool, isFallback: Bool
  ) {
    self.node = node
    self.isFallback = isFallback
    self.occurrences = occurrences
    self.positionals = positionals
    self.isInterrupted = isInterrupted
  }

  /// The names from the root: `["fencepost", "add", "reminder"]`.
  public var path: [String] { node.path }

  /// The names below the root, with spaces between: `add reminder`. Empty at the root.
  public var name: String { node.name }

  // MARK: What was given

  /// Whether the command has an option called `name`, of its own or inherited.
  public func declares(_ name: String) -> Bool { node.options.contains { $0.name == name } }

  /// Whether a flag is on: as it was said last, else `otherwise`.
  public func flag(_ name: String, otherwise: Bool = false) -> Bool {
    given(name).last?.isOn ?? otherwise
  }

  /// The value of an option, from its words, else from its environment variable.
  public func value(_ name: String) -> String? { argument(name)?.value }

  /// The values of a repeatable option, in order.
  public func values(_ name: String) -> [String] { arguments(name).map(\.value) }

  /// The value of an option, with where it came from.
  public func argument(_ name: String) -> Argument? { given(name).last?.argument }

  /// The values of a repeatable option, with where they came from.
  public func arguments(_ name: String) -> [Argument] { given(name).map(\.argument) }

  /// The word of a positional, or the first of them.
  public func positional(_ name: String) -> String? { positionalArguments(name).first?.value }

  /// The words of a positional.
  public func positionals(_ name: String) -> [String] { positionalArguments(name).map(\.value) }

  /// The words of a positional, with where they stand.
  public func positionalArguments(_ name: String) -> [Argument] {
    precondition(
      node.command.positionals.contains { $0.name == name }, "'\(self.name)' has no positional '\(name)'")
    return positionals[name] ?? []
  }

  /// The form of help that is requested: `-h` requests the short form.
  public var helpRequest: HelpForm? {
    guard declares("help"), flag("help"), let argument = argument("help") else { return nil }
    return argument.origin == .option("-h") ? .short : .long
  }

  private func given(_ name: String) -> [Occurrence] {
    precondition(declares(name), "'\(self.name)' has no option '\(name)'")
    return occurrences[name] ?? []
  }
}
