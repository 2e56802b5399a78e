import CommandLineTable

extension FencepostTable {
  /// `completions SHELL`.
  static func completions(_ parsed: ParsedCommand) throws -> String {
    let shell: Shell =
      switch try parsed.required("shell") {
      case "bash": .bash
      case "zsh": .zsh
      default: .fish
      }
    return table.completionScript(for: shell)
  }

  /// `manual [COMMAND…]`: the page of the program, or of one command.
  static func manual(_ parsed: ParsedCommand) throws -> String {
    let words = parsed.positionals("command")
    return words.isEmpty
      ? table.manualPage(manualDetails) : try table.node(at: words).manualPage(commandManualDetails)
  }
}
