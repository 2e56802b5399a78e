/// A command at its place in the tree, with its inherited options.
public struct CommandNode<Action: Sendable>: Sendable {
  /// The commands from the root to this one's parent.
  public let ancestors: [Command<Action>]
  /// The command.
  public let command: Command<Action>

  /// The names from the root to this command: `["fencepost", "add", "reminder"]`.
  public var path: [String] { ancestors.map(\.name) + [command.name] }

  /// The names below the root, separated by spaces: `add reminder`. Empty at the root.
  public var name: String { path.dropFirst().joined(separator: " ") }

  /// The options of the command itself, including those that it shares with commands below.
  public var ownOptions: [Option] { command.options + command.sharedOptions }

  /// The options that come from the commands above, the nearest first.
  public var inheritedOptions: [Option] { ancestors.reversed().flatMap(\.sharedOptions) }

  /// All options that the command accepts.
  public var options: [Option] { ownOptions + inheritedOptions }

  /// The subcommands at their places.
  public var children: [CommandNode] {
    command.subcommands.map { CommandNode(ancestors: ancestors + [command], command: $0) }
  }

  /// This node and all below it, parents before their children, in the order of the table.
  public var subtree: [CommandNode] { [self] + children.flatMap(\.subtree) }

  /// The child called `word`, by name or by alias.
  func child(called word: String) -> CommandNode? {
    children.first { $0.command.name == word || $0.command.aliases.contains(word) }
  }

  /// The default subcommand.
  var fallback: CommandNode? { command.fallback.flatMap { child(called: $0) } }

  /// The children that help, manual and completions show.
  var visibleChildren: [CommandNode] { children.filter { !$0.command.isHidden } }

  /// This node and all below it, except hidden subtrees.
  public var visibleSubtree: [CommandNode] { [self] + visibleChildren.flatMap(\.visibleSubtree) }
}
