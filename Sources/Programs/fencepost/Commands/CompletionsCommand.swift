import FencepostCommandLineTable

extension Invocation {
  /// `completions SHELL`.
  func printCompletions() throws {
    // The parser accepts only the names of shells.
    let shell = Shell(rawValue: try parsed.required(.shell)) ?? .bash
    try console.write(FencepostTable.table.completionScript(for: shell))
  }

  /// `manual [COMMAND…]`: the manual page of the program, or of one command. With `--into`, writes all pages
  /// to files instead.
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
