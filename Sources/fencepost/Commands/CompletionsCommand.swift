import CommandLineTable

extension CommandContext {
  /// `completions SHELL`.
  func printCompletions() throws {
    let shell: Shell =
      switch try parsed.required("shell") {
      case "bash": .bash
      case "zsh": .zsh
      default: .fish
      }
    try console.print(FencepostTable.table.completionScript(for: shell))
  }
}
