import FencepostCommandLineTable
import Testing

@Suite("The laws of a table") struct LawTests {
  @Test func sampleKeepsThem() { #expect(sample.violations() == []) }

  static func table(
    _ name: String = "t", summary: String = "Test", discussion: [String] = [], examples: [Example] = [],
    options: [FencepostCommandLineTable.Option] = [], sharedOptions: [FencepostCommandLineTable.Option] = [],
    positionals: [Positional] = [], subcommands: [Command] = [], runsAlone: Bool = false
  ) -> CommandTable {
    CommandTable(
      Command(
        name, summary: summary, discussion: discussion, examples: examples, options: options,
        sharedOptions: sharedOptions, positionals: positionals, subcommands: subcommands, runsAlone: runsAlone
      ))
  }

  @Test(arguments: [
    (table("Tést"), "Tést: the name 'Tést' is not lowercase ASCII letters, digits and hyphens"),
    (table(summary: "Test."), "t: the summary ends in a full stop"),
    (table(summary: "test"), "t: the summary begins with a small letter"),
    (table(summary: ""), "t: the summary is empty"),
    (table(discussion: ["See `x."]), "t: a paragraph has an open backquote"),
    (table(discussion: ["a\nb"]), "t: a paragraph has a line break"),
    (
      table(options: [.flag("a-", "A")]),
      "t: option '--a-': 'a-' is not lowercase ASCII letters, digits and hyphens"
    ),
    (
      table(options: [.flag("a", short: "é", "A")]),
      "t: option '--a': the short form 'é' is no ASCII letter or digit"
    ),
    (
      table(options: [.flag("a", "A"), .value("b", "B", aliases: ["a"], "B")]),
      "t: the option '--a' is there twice"
    ),
    (
      table(options: [.flag("no-a", "A"), .flag("a", negatable: true, "A")]),
      "t: the option '--no-a' is there twice"
    ),
    (
      table(
        sharedOptions: [.flag("a", short: "a", "A")],
        subcommands: [Command("s", summary: "S", options: [.flag("b", short: "a", "B")])]),
      "t s: the option '-a' is there twice"
    ),
    (table(options: [.value("a", "", "A")]), "t: option '--a': the value has no metavariable"),
    (table(options: [.value("a", "A B", "A")]), "t: option '--a': the metavariable has a space"),
    (
      table(options: [.value("a", "A", completion: .choices([]), "A")]),
      "t: option '--a': there are no choices"
    ),
    (
      table(options: [.value("a", "A", completion: .choices(["x", "x"]), "A")]),
      "t: option '--a': the choice 'x' is there twice"
    ),
    (
      table(options: [.value("a", "A", completion: .choices(["x"]), default: "y", "A")]),
      "t: option '--a': the default 'y' is not among the choices"
    ),
    (
      table(options: [.value("a", "A", completion: .file(extensions: ["*"]), "A")]),
      "t: option '--a': an extension is not letters and digits"
    ),
    (
      table(options: [.value("a", "A", completion: .program("x"), "A")]),
      "t: asks the program for candidates, which has no command 'candidates'"
    ),
    (
      table(options: [Option(name: "a", kind: .flag(negatable: false), isRequired: true, summary: "A")]),
      "t: option '--a': is a flag and required"
    ),
    (
      table(positionals: [Positional("a", .optional, "A"), Positional("b", .required, "B")]),
      "t: positional 'b' is required after an optional one"
    ),
    (
      table(positionals: [Positional("a", .oneOrMore, "A"), Positional("b", .required, "B")]),
      "t: positional 'a' repeats and is not the last"
    ),
    (
      table(positionals: [Positional("a", .required, "A"), Positional("a", .required, "A")]),
      "t: the positional 'a' is there twice"
    ),
    (
      table(positionals: [Positional("a", .required, "A")], subcommands: [Command("s", summary: "S")]),
      "t: has subcommands and positionals, so that a word may mean either"
    ),
    (table(runsAlone: true), "t: runs alone without subcommands"),
    (
      table(subcommands: [Command("s", summary: "S"), Command("x", aliases: ["s"], summary: "X")]),
      "t: the subcommand 's' is there twice"
    ),
    (table(examples: [Example("u --x", "Shows")]), "t: the example 'u --x' does not call 't'"),
    (table(examples: [Example("t 'x", "Shows")]), "t: the example 't 'x' does not call 't'"),
    (table(examples: [Example("t --x", "Shows")]), "t: the example 't --x' fails: unknown option '--x'"),
    (table(examples: [Example("t", "shows")]), "t: what 't' shows begins with a small letter"),
  ])
  func findsTheViolation(table: CommandTable, expected: String) {
    #expect(table.violations().contains(expected), "\(table.violations())")
  }

  @Test(
    arguments: [
      ("t a b", ["a", "b"]), ("t 'a b' \"c d\"", ["a b", "c d"]), ("t a\\ b", ["a b"]), ("t ''", [""]),
      ("cat x | t - > out", ["-"]), ("t a | less", ["a"]), ("t \"a\\\"b\"", ["a\"b"]), ("t 'a\\b'", ["a\\b"]),
      ("t a;", ["a"]), ("t <in a", ["a"]), ("u; t", []), ("tt", nil), ("t \"a", nil), ("t a\\", nil),
      ("", nil),
    ] as [(String, [String]?)])
  func wordsOfExamples(line: String, expected: [String]?) {
    #expect(Example(line, "Shows").words(for: "t") == expected)
  }
}
