/// A parsed command line.
///
/// An option that the command does not have counts as not given, so that commands can share code.
public struct ParsedCommand<Action: Sendable>: Sendable {
  /// The command at its place in the tree.
  public let node: CommandNode<Action>
  /// By the option's name.
  let occurrences: [String: [Occurrence]]
  /// By the positional's name.
  let positionals: [String: [Argument]]

  /// Whether an option such as `--help` was given, so that what the command demands was not looked for.
  public let isInterrupted: Bool

  /// Whether the last command is a ``Command/fallback``.
  public let isFallback: Bool

  /// The names from the root: `["fencepost", "add", "reminder"]`.
  public var path: [String] { node.path }

  /// The names below the root, with spaces between: `add reminder`. Empty at the root.
  public var name: String { node.name }

  // MARK: What was given

  /// Whether a flag is on: as it was given last, else `otherwise`.
  public func flag(_ key: FlagKey, otherwise: Bool = false) -> Bool {
    occurrences[key.name]?.last?.isOn ?? otherwise
  }

  /// The value of an option, from its words, else from its environment variable.
  public func value(_ key: ValueKey) -> String? { argument(key)?.value }

  /// The values of a repeatable option, in order.
  public func values(_ key: ValueKey) -> [String] { arguments(key).map(\.value) }

  /// The value of an option, with where it came from.
  public func argument(_ key: ValueKey) -> Argument? { arguments(key).last }

  /// The values of a repeatable option, with where they came from.
  public func arguments(_ key: ValueKey) -> [Argument] { (occurrences[key.name] ?? []).map(\.argument) }

  /// What an option was given, a flag too, with where that came from.
  public func arguments(of option: Option) -> [Argument] {
    (occurrences[option.name] ?? []).map(\.argument)
  }

  /// Whether the words give an option, and not only its environment variable.
  public func isTyped(_ key: ValueKey) -> Bool { isTyped(key.name) }

  /// Whether the words give a flag, on or off.
  public func isTyped(_ key: FlagKey) -> Bool { isTyped(key.name) }

  /// The options that the words give, in the order of the table.
  public var typedOptions: [Option] { node.options.filter { isTyped($0.name) } }

  private func isTyped(_ name: String) -> Bool { occurrences[name]?.last?.argument.index != nil }

  /// The word of a positional, or the first of them.
  public func positional(_ key: PositionalKey) -> String? { positionalArguments(key).first?.value }

  /// The words of a positional.
  public func positionals(_ key: PositionalKey) -> [String] { positionalArguments(key).map(\.value) }

  /// The words of a positional, with where they stand.
  public func positionalArguments(_ key: PositionalKey) -> [Argument] { positionals[key.name] ?? [] }

  /// The form of help that is requested: `-h` requests the short form.
  public var helpRequest: HelpForm? {
    guard flag(.help), let argument = occurrences[FlagKey.help.name]?.last?.argument else { return nil }
    return argument.origin == .option("-h") ? .short : .long
  }
}
