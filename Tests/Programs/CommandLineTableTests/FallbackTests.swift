import FencepostCommandLineTable
import Testing

/// A command with an optional name.
@Suite("Default subcommands") struct FallbackTests {
  private static let table = CommandTable(
    Command(
      "t", summary: "Test", sharedOptions: [.flag("json", "Be a program"), .help],
      subcommands: [
        Command(
          "add", summary: "Add",
          subcommands: [
            Command(
              "reminder", summary: "Add a reminder", options: [.value("due", "WHEN", short: "d", "When")],
              positionals: [Positional("title", .oneOrMore, "What")]),
            Command("event", summary: "Add an event", positionals: [Positional("title", .required, "What")]),
          ], fallback: "reminder")
      ]))

  @Test(
    arguments: [
      (["add", "Milk"], "add reminder", true, ["Milk"], nil),
      (["add", "Milk", "Bread", "--due", "x"], "add reminder", true, ["Milk", "Bread"], "x"),
      (["add", "--due", "x", "Milk"], "add reminder", true, ["Milk"], "x"),
      (["add", "-dx", "Milk"], "add reminder", true, ["Milk"], "x"),
      (["add", "--json", "Milk"], "add reminder", true, ["Milk"], nil),
      (["add", "-"], "add reminder", true, ["-"], nil),
      (["add", "--", "-x"], "add reminder", true, ["-x"], nil),
      (["add", "reminder", "event"], "add reminder", false, ["event"], nil),
      (["add", "event", "Fair"], "add event", false, ["Fair"], nil),
    ] as [([String], String, Bool, [String], String?)])
  func meant(words: [String], name: String, isFallback: Bool, titles: [String], due: String?) throws {
    let parsed = try Self.table.parse(words)
    #expect(parsed.name == name)
    #expect(parsed.isFallback == isFallback)
    #expect(parsed.positionals("title") == titles)
    #expect(parsed.value("due") == due)
  }

  @Test(
    "A near miss of a command, or a word for another one, is refused",
    arguments: [
      (["add"], "needs words or a command: "), (["add", "remindr", "Milk"], "did you mean 'reminder'?"),
      (["add", "--due", "x", "reminder", "Milk"], "must come after its command"),
      (["add", "--duu", "x", "Milk"], "did you mean '--due'?"),
      (["add", "-x", "Milk"], "unknown option '-x'"),
    ])
  func refused(words: [String], says: String) {
    let error = #expect(throws: UsageError.self) { try Self.table.parse(words) }
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
  }

  @Test func law() {
    #expect(Self.table.violations() == [])
    var wrong = Self.table.root.command
    wrong.subcommands[0].fallback = "task"
    #expect(CommandTable(wrong).violations() == ["t add: falls back on no command 'task'"])
  }

  @Test func usage() throws {
    #expect(try Self.table.node(at: ["add"]).usage == "t add [OPTIONS] [COMMAND] TITLE...")
  }
}
