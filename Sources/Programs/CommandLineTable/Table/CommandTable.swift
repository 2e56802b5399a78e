/// The whole command line of a program as data.
public struct CommandTable<Action: Sendable>: Sendable {
  /// The program itself.
  public let root: CommandNode<Action>

  /// The table with the root `command`. A test should check ``violations()``.
  public init(_ command: Command<Action>) { root = CommandNode(ancestors: [], command: command) }

  /// The command at `words`, without the program's name; aliases are accepted.
  ///
  /// - Throws: ``UsageError`` for the first word that is not a subcommand.
  public func node(at words: some Sequence<String>) throws(UsageError) -> CommandNode<Action> {
    var node = root
    for (index, word) in words.enumerated() {
      guard let child = node.child(called: word) else { throw .unknownSubcommand(word, at: index, in: node) }
      node = child
    }
    return node
  }
}
