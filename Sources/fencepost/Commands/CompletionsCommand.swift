import CommandLineTable

extension Invocation {
  /// `completions SHELL`.
  func printCompletions() throws {
    // The parser takes the names of shells alone.
    let shell = Shell(rawValue: try parsed.required(.shell)) ?? .bash
    try console.write(FencepostTable.table.completionScript(for: shell))
  }

  /// `manual [COMMAND…]`: the page of the program, or of one command; with `--into`, nothing, and a file for each.
  func printManual() throws {
    let table = FencepostTable.table
    guard let folder = parsed.value(.into) else {
      return try console.write(Self.page(of: table.node(at: parsed.positionals(.command))))
    }
    for node in table.root.visibleSubtree {
      let path = "\(folder)/\(node.path.joined(separator: "-")).1"
      try AtomicFile(path: path).finish(Self.page(of: node))
    }
  }

  private static func page(of node: CommandNode<Action>) -> String {
    node.ancestors.isEmpty
      ? FencepostTable.table.manualPage(FencepostTable.manualDetails)
      : node.manualPage(FencepostTable.commandManualDetails)
  }
}
