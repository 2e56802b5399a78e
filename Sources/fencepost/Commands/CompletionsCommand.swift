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

  /// `manual [COMMAND…]`: the page of the program, or of one command; with `--into`, nothing, and a file for each.
  static func manual(_ parsed: ParsedCommand) throws -> String {
    let words = parsed.positionals("command")
    if let folder = parsed.value("into") {
      for node in table.root.visibleSubtree {
        let path = "\(folder)/\(node.path.joined(separator: "-")).1"
        try AtomicFile(path: path).finish(page(of: node))
      }
      return ""
    }
    return page(of: try table.node(at: words))
  }

  private static func page(of node: CommandNode) -> String {
    node.ancestors.isEmpty ? table.manualPage(manualDetails) : node.manualPage(commandManualDetails)
  }
}
