import FencepostCommandLineTable

typealias Command = FencepostCommandLineTable.Command<Action>

/// The code of a command in the table.
struct Action: Sendable {
  let perform: @Sendable (Invocation) throws -> Void

  /// Runs `body` with the settings.
  ///
  /// - Parameter isUndoable: False if its changes can't be undone: the engine's own data, undo itself, and
  ///   content that a server would send again.
  static func run(
    isUndoable: Bool = true, _ body: @escaping @Sendable (CommandContext) throws -> Void
  ) -> Action {
    Action { try body(CommandContext($0, isUndoable: isUndoable)) }
  }

  /// Runs `body`, which only reads, also with faults in the settings file.
  static func look(
    _ faults: SettingFaults.Rule = .say, _ body: @escaping @Sendable (CommandContext) throws -> Void
  ) -> Action {
    Action { try body(CommandContext($0, faults: faults)) }
  }

  /// Runs `body` without settings and store.
  static func runAlone(_ body: @escaping @Sendable (Invocation) throws -> Void) -> Action {
    Action(perform: body)
  }
}

/// A run of the program: its command line, and the console for its output.
struct Invocation {
  let parsed: ParsedCommand<Action>
  /// The arguments as typed.
  let words: [String]
  let console: Console
  let style: Style
}
