import CommandLineTable

typealias Command = CommandLineTable.Command<Action>

/// What runs a command of the table.
struct Action: Sendable {
  let perform: @Sendable (Invocation) throws -> Void

  /// Runs `body` with the settings read.
  ///
  /// - Parameter isUndoable: False where what it writes is not kept to be undone: it is the engine's own, the undoing
  ///   itself, or comes from a server that would send it again.
  static func run(
    isUndoable: Bool = true, _ body: @escaping @Sendable (CommandContext) throws -> Void
  ) -> Action {
    Action { try body(CommandContext($0, isUndoable: isUndoable)) }
  }

  /// Runs `body`, which needs neither settings nor a store.
  static func runAlone(_ body: @escaping @Sendable (Invocation) throws -> Void) -> Action {
    Action(perform: body)
  }
}

/// One call of the program: its command line, and the console for its output.
struct Invocation {
  let parsed: ParsedCommand<Action>
  /// The words as they were typed.
  let words: [String]
  let console: Console
  let style: Style

  /// `help [COMMAND…]`
  func showHelp() throws {
    let node = try FencepostTable.table.node(at: parsed.positionals(.command))
    try console.write(node.help(.long, width: console.width, style: style))
  }
}
