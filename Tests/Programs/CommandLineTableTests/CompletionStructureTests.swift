import FencepostCommandLineTable
import FencepostTestSupport
import Testing

/// Each shell's script contains everything that is visible, and nothing hidden.
@Suite("Completion scripts") struct CompletionStructureTests {
  @Test(arguments: Shell.allCases) func speaksOfEverything(shell: Shell) {
    let script = sample.completionScript(for: shell)
    for node in sample.root.subtree {
      let isHidden = node.command.isHidden
      // A script that leads to a command contains the whole path.
      let path = node.path.joined(separator: shell == .zsh ? "_" : " ")
      let call = shell == .zsh ? "\n_\(path)() {" : "'\(path)'"
      if shell != .bash || !node.ancestors.isEmpty { #expect(script.contains(call) != isHidden, "\(path)") }
      for option in node.command.options {
        let spelling = shell == .fish ? "-l \(option.name)" : "--\(option.name)"
        #expect(script.contains(spelling) != option.isHidden, "\(spelling)")
      }
    }
  }

  @Test func bracketsOfZshClose() {
    let script = sample.completionScript(for: .zsh)
    for (open, close) in [("{", "}"), ("[", "]")] as [(Character, Character)] {
      #expect(script.count { $0 == open } == script.count { $0 == close })
    }
    #expect(script.hasPrefix("#compdef walker\n"))
  }

  @Test func blocksOfFishClose() {
    let words = sample.completionScript(for: .fish).split(separator: "\n").map { line in
      line.split(separator: " ").first.map(String.init) ?? ""
    }
    let opened = words.count { ["function", "for", "if", "switch"].contains($0) }
    #expect(opened == words.count { $0 == "end" })
  }

  /// Quotes, colons and brackets of a summary must not end the text of a script.
  @Test(arguments: Shell.allCases) func awkwardSummaries(shell: Shell) throws {
    let awkward = CommandTable(
      Command(
        "t", summary: "It's [a]: \"$x\" `y` \\ (z)",
        sharedOptions: [.value("o", "A:B", short: "o", "It's [a]: \"$x\" `y` \\ (z)")],
        subcommands: [Command("s", summary: "It's [a]: \"$x\" `y` \\ (z)")]))
    #expect(awkward.violations() == [])
    try Snapshot.expect(awkward.completionScript(for: shell), toBe: "awkward.\(shell)")
  }

  @Test func awkwardManual() throws {
    let awkward = CommandTable(
      Command(
        "t", summary: "Be awkward",
        discussion: [
          ".Sh is no macro here. 'Tis prose. A \\ and a \"quote\", caf\u{E9}.",
          "(`-x`), `a b`; `Ar`: `No`, pre`fix`ed `.`", "`--o`.",
        ],
        options: [.value("o", "Ar", short: "o", "It's \\n [a]: \"$x\" `y` \\ (z)")],
        positionals: [Positional("op", .zeroOrMore, "Macros: `Op`", metavariable: "Op")]))
    #expect(awkward.violations() == [])
    try Snapshot.expect(awkward.manualPage(SnapshotTests.details), toBe: "awkward.1")
  }
}
