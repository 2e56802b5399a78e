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

  /// Whether the line has an option such as `--help`, so that the parser did not check for required
  /// arguments.
  public let isInterrupted: Bool

  /// Whether the last command is a ``Command/fallback``.
  public let isFallback: Bool

  /// The names from the root: `["fencepost", "add", "reminder"]`.
  public var path: [String] { node.path }

  /// The names below the root, separated by spaces: `add reminder`. Empty at the root.
  public var name: String { node.name }

  // MARK: Options

  /// The last value of a flag, or `otherwise` if it is not given.
  public func flag(_ key: FlagKey, otherwise: Bool = false) -> Bool {
    occurrences[key.name]?.last?.isOn ?? otherwise
  }

  /// The value of an option, from the words or from its environment variable.
  public func value(_ key: ValueKey) -> String? { argument(key)?.value }

  /// The values of a repeatable option, in order.
  public func values(_ key: ValueKey) -> [String] { arguments(key).map(\.value) }

  /// The value of an option, with its origin.
  public func argument(_ key: ValueKey) -> Argument? { arguments(key).last }

  /// The values of a repeatable option, with their origins.
  public func arguments(_ key: ValueKey) -> [Argument] { (occurrences[key.name] ?? []).map(\.argument) }

  /// The values of an option or the uses of a flag, with their origins.
  public func arguments(of option: Option) -> [Argument] {
    (occurrences[option.name] ?? []).map(\.argument)
  }

  /// Whether an option is in the words, not only in its environment variable.
  public func isTyped(_ key: ValueKey) -> Bool { isTyped(key.name) }

  /// Whether a flag is in the words, on or off.
  public func isTyped(_ key: FlagKey) -> Bool { isTyped(key.name) }

  /// The options in the words, in the order of the table.
  public var typedOptions: [Option] { node.options.filter { isTyped($0.name) } }

  private func isTyped(_ name: String) -> Bool { occurrences[name]?.last?.argument.index != nil }

  /// The first word of a positional.
  public func positional(_ key: PositionalKey) -> String? { positionalArguments(key).first?.value }

  /// The words of a positional.
  public func positionals(_ key: PositionalKey) -> [String] { positionalArguments(key).map(\.value) }

  /// The words of a positional, with their indices.
  public func positionalArguments(_ key: PositionalKey) -> [Argument] { positionals[key.name] ?? [] }

  /// The form of help that is requested: `-h` requests the short form.
  public var helpRequest: HelpForm? {
    guard flag(.help), let argument = occurrences[FlagKey.help.name]?.last?.argument else { return nil }
    return argument.origin == .option("-h") ? .short : .long
  }
}
