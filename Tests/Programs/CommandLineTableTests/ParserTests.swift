import FencepostCommandLineTable
import FencepostTestSupport
import Testing

@Suite("Parsing a command line") struct ParserTests {
  /// Words, and their parsed form as "command; name=values; …", with options in alphabetical order.
  @Test(arguments: [
    (["add", "walk", "Sea"], "add walk; title=Sea"),
    (["add", "hike", "Sea"], "add walk; title=Sea"),
    (["ls"], "list"),
    (["ls", "start"], "list; order=start"),
    // Values: separate, joined, short, short and joined, short with an equals sign, empty, with an equals
    // sign inside
    (["list", "--limit", "5"], "list; limit=5"),
    (["list", "--limit=5"], "list; limit=5"),
    (["list", "-n", "5"], "list; limit=5"),
    (["list", "-n5"], "list; limit=5"),
    (["list", "-n=5"], "list; limit=5"),
    (["list", "-n="], "list; limit="),
    (["list", "--limit="], "list; limit="),
    (["list", "--limit", ""], "list; limit="),
    (["list", "--limit=a=b"], "list; limit=a=b"),
    (["list", "--limit=--json"], "list; limit=--json"),
    // Negative numbers and coordinates
    (["add", "walk", "Sea", "--start", "-33.86,151.2"], "add walk; start=-33.86,151.2; title=Sea"),
    (["add", "walk", "Sea", "-s-33.86,151.2"], "add walk; start=-33.86,151.2; title=Sea"),
    (["add", "walk", "Sea", "-s", "-.5,1"], "add walk; start=-.5,1; title=Sea"),
    (["add", "walk", "-5"], "add walk; title=-5"),
    (["add", "walk", "-.5"], "add walk; title=-.5"),
    // … unless it is a short option
    (["join", "-1", "out", "a", "b"], "join; into=out; target=a; walk=b"),
    (["join", "-1out", "a", "b"], "join; into=out; target=a; walk=b"),
    (["join", "-2", "b"], "join; target=-2; walk=b"),
    // Combined flags
    (["add", "walk", "-rqj", "Sea"], "add walk; json; quick; return; title=Sea"),
    (["add", "walk", "-rs1,2", "Sea"], "add walk; return; start=1,2; title=Sea"),
    (["add", "walk", "-rs", "1,2", "Sea"], "add walk; return; start=1,2; title=Sea"),
    (["list", "-vv", "-v"], "list; verbose*3"),
    // Negation, and the last one wins
    (["add", "walk", "Sea", "--no-return"], "add walk; no-return; title=Sea"),
    (["add", "walk", "Sea", "--no-return", "-r"], "add walk; return; title=Sea"),
    (["add", "walk", "Sea", "-r", "--no-return"], "add walk; no-return; title=Sea"),
    (["list", "--json", "--json"], "list; json"),
    // Repeatable, alias
    (["add", "walk", "-t", "a", "Sea", "--tag=b"], "add walk; tag=a,b; title=Sea"),
    (["list", "--colour=never"], "list; color=never"),
    // At any place: before the subcommand, between positionals, at the end
    (["--file", "x", "add", "--json", "walk", "Sea"], "add walk; file=x; json; title=Sea"),
    (["join", "a", "--json", "b", "-f", "x", "c"], "join; file=x; json; target=a; walk=b,c"),
    // The end of options, the lone hyphen
    (["add", "walk", "--", "--json"], "add walk; title=--json"),
    (["add", "walk", "--json", "--", "--"], "add walk; json; title=--"),
    (["--", "add", "walk", "-x"], "add walk; title=-x"),
    (["join", "-", "-"], "join; target=-; walk=-"),
    (["join", "--into", "-", "a", "b"], "join; into=-; target=a; walk=b"),
    // A command that also runs alone, and its subcommand
    (["tags", "--count"], "tags; count"),
    (["tags", "rename", "a"], "tags rename; old=a"),
    (["help", "add", "walk"], "help; command=add,walk"),
    (["add", "walk", "", "--quick"], "add walk; quick; title="),
    // Nothing is required with help or version
    (["--version"], "; version"),
    (["add", "walk", "--help"], "add walk; help"),
    (["add", "-h"], "add; help"),
    (["add", "break", "-h"], "add break; help"),
  ])
  func reads(words: [String], expected: String) throws {
    #expect(Self.describe(try sample.parse(words)) == expected)
  }

  static func describe(_ parsed: ParsedCommand<Bool>) -> String {
    let options = parsed.node.options.sorted { $0.name < $1.name }.compactMap { option -> String? in
      let arguments = parsed.arguments(of: option)
      guard !arguments.isEmpty else { return nil }
      if option.value != nil {
        return "\(option.name)=\(parsed.values(ValueKey(option.name)).joined(separator: ","))"
      }
      if option.isRepeatable { return "\(option.name)*\(arguments.count)" }
      return parsed.flag(FlagKey(option.name)) ? option.name : "no-\(option.name)"
    }
    let positionals = parsed.node.command.positionals.compactMap { positional -> String? in
      let words = parsed.positionals(PositionalKey(positional.name))
      return words.isEmpty ? nil : "\(positional.name)=\(words.joined(separator: ","))"
    }
    return ([parsed.name] + options + positionals).joined(separator: "; ")
  }

  @Test func environmentStandsIn() throws {
    let environment = ["WALKER_FILE": "env.walks", "OTHER": "x"]
    let parsed = try sample.parse(["list"], environment: environment)
    #expect(parsed.value("file") == "env.walks")
    #expect(parsed.argument("file")?.label == "variable WALKER_FILE")
    #expect(parsed.argument("file")?.index == nil)
    #expect(try sample.parse(["list", "--file", "a"], environment: environment).value("file") == "a")
    #expect(try sample.parse(["list"], environment: ["WALKER_FILE": ""]).value("file") == nil)
  }

  @Test func asksForHelp() throws {
    #expect(try sample.parse(["list"]).helpRequest == nil)
    #expect(try sample.parse(["list", "-h"]).helpRequest == .short)
    #expect(try sample.parse(["list", "-jh"]).helpRequest == .short)
    #expect(try sample.parse(["list", "--help"]).helpRequest == .long)
    #expect(try sample.parse(["list", "-h"]).isInterrupted)
  }

  /// Help works even with errors in the environment.
  @Test func helpBeforeEnvironment() throws {
    let table = CommandTable(
      Command(
        "t", summary: "T",
        options: [.value("o", "X", completion: .choices(["a"]), environment: "T_O", "O"), .help]))
    #expect(throws: UsageError.self) { try table.parse([], environment: ["T_O": "b"]) }
    #expect(try table.parse(["--help"], environment: ["T_O": "b"]).helpRequest == .long)
  }

  @Test func flagsUnsaid() throws {
    let parsed = try sample.parse(["add", "walk", "Sea"])
    #expect(parsed.flag("return") == false)
    #expect(parsed.flag("return", otherwise: true))
    #expect(try sample.parse(["add", "walk", "Sea", "--no-return"]).flag("return", otherwise: true) == false)
  }

  @Test func nodesByPath() throws {
    #expect(try sample.node(at: []).path == ["walker"])
    #expect(try sample.node(at: ["add", "hike"]).path == ["walker", "add", "walk"])
    let error = #expect(throws: UsageError.self) { try sample.node(at: ["add", "wlak"]) }
    #expect(error?.message == "'walker add' has no command 'wlak'; did you mean 'walk'?")
    #expect(error?.index == 1)
  }

  /// Any words give a result, and an error refers to an existing word.
  @Test(arguments: 0..<8) func anyWords(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "add", "walk", "hike", "break", "list", "join", "tags", "rename", "help", "debug", "-", "--", "--json",
      "-j",
      "--no-return", "--tag", "-t", "--minutes", "-vqr", "-n", "-1", "-5", "--=", "-=", "--color=", "always",
      "--limit=3", "é", "-é", "--é", "", " ", "-\u{301}", "--\u{301}=x", "👩‍👩‍👧", "-👩‍👩‍👧", "\0", "-.", "--help",
      "--no-",
    ]
    for _ in 0..<500 {
      let words = (0..<Int.random(in: 0...7, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }
      do {
        let parsed = try sample.parse(words)
        let positionals = parsed.node.command.positionals.flatMap {
          parsed.positionalArguments(PositionalKey($0.name))
        }
        for argument in positionals {
          #expect(argument.index.map { words[$0] } == argument.value, "seed \(seed): \(words)")
        }
      } catch {
        if let index = error.index { #expect(words.indices.contains(index), "seed \(seed): \(words)") }
        #expect(!error.message.isEmpty && error.path.first == "walker", "seed \(seed): \(words)")
      }
    }
  }

  @Test func longWords() throws {
    let long = String(repeating: "a", count: 100_000)
    #expect(throws: UsageError.self) { try sample.parse([long]) }
    #expect(throws: UsageError.self) { try sample.parse(["--" + long]) }
    #expect(throws: UsageError.self) { try sample.parse(["-" + long]) }
    #expect(try sample.parse(["add", "walk", long]).positional("title")?.count == 100_000)
    #expect(
      try sample.parse(["list", "-" + String(repeating: "v", count: 10_000)]).arguments(
        of: .flag("verbose", "")
      ).count
        == 10_000)
  }
}
