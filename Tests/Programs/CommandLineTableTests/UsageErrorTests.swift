import FencepostCommandLineTable
import Testing

@Suite("Mistakes on the command line") struct UsageErrorTests {
  struct Case: Sendable {
    var words: [String]
    var problem: UsageError.Problem
    var message: String
    var index: Int?
    var path: String
    var environment: [String: String] = [:]

    init(
      _ words: [String], _ problem: UsageError.Problem, _ message: String, at index: Int?, in path: String,
      environment: [String: String] = [:]
    ) {
      (self.words, self.problem, self.message, self.index) = (words, problem, message, index)
      (self.path, self.environment) = (path, environment)
    }
  }

  static let cases: [Case] = [
    // Unknown options
    Case(
      ["list", "--limti", "5"], .unknownOption, "unknown option '--limti'; did you mean '--limit'?", at: 1,
      in: "walker list"),
    Case(
      ["list", "--lim=5"], .unknownOption, "unknown option '--lim'; did you mean '--limit'?", at: 1,
      in: "walker list"),
    Case(
      ["list", "--colr=x"], .unknownOption,
      "unknown option '--colr'; did you mean '--color'?", at: 1, in: "walker list"),
    Case(["list", "--zzz"], .unknownOption, "unknown option '--zzz'", at: 1, in: "walker list"),
    Case(["list", "--tarce"], .unknownOption, "unknown option '--tarce'", at: 1, in: "walker list"),
    Case(["list", "-z"], .unknownOption, "unknown option '-z'", at: 1, in: "walker list"),
    Case(["list", "-jz"], .unknownOption, "unknown option '-z' in '-jz'", at: 1, in: "walker list"),
    Case(
      ["list", "-limit"], .unknownOption, "unknown option '-l' in '-limit'; did you mean '--limit'?", at: 1,
      in: "walker list"),
    Case(
      ["list", "--no-json"], .unknownOption, "unknown option '--no-json'", at: 1,
      in: "walker list"),
    Case(
      ["add", "walk", "Sea", "--no-retrun"], .unknownOption,
      "unknown option '--no-retrun'; did you mean '--no-return'?", at: 3, in: "walker add walk"),
    Case(
      ["--limit", "5", "list"], .unknownOption, "option '--limit' must come after its command",
      at: 0, in: "walker"),
    Case(
      ["tags", "--count", "rename", "a"], .unknownOption,
      "option '--count' belongs to 'walker tags', not to 'walker tags rename'", at: 1,
      in: "walker tags rename"),
    // Commands
    Case(
      ["lst"], .unknownSubcommand, "'walker' has no command 'lst'; did you mean 'list'?", at: 0, in: "walker"),
    Case(
      ["ADD"], .unknownSubcommand, "'walker' has no command 'ADD'; did you mean 'add'?", at: 0, in: "walker"),
    Case(
      ["add", "braek"], .unknownSubcommand, "'walker add' has no command 'braek'; did you mean 'break'?",
      at: 1,
      in: "walker add"),
    Case(["debgu"], .unknownSubcommand, "'walker' has no command 'debgu'", at: 0, in: "walker"),
    Case(["-"], .unknownSubcommand, "'walker' has no command '-'", at: 0, in: "walker"),
    Case(
      [], .missingSubcommand, "'walker' needs a command: add, list, join, tags or help", at: nil, in: "walker"
    ),
    Case(
      ["add"], .missingSubcommand, "'walker add' needs a command: walk or break", at: nil, in: "walker add"),
    // Values
    Case(
      ["list", "--limit"], .missingValue, "option '--limit' needs a value: --limit N", at: 1,
      in: "walker list"),
    Case(["list", "-n"], .missingValue, "option '-n' needs a value: -n N", at: 1, in: "walker list"),
    Case(
      ["list", "--limit", "--json"], .missingValue,
      "option '--limit' needs a value: --limit N (if '--json' is the value, write '--limit=--json')", at: 1,
      in: "walker list"),
    Case(
      ["list", "-vn", "-x"], .missingValue,
      "option '-n' needs a value: -n N (if '-x' is the value, write '-n-x')", at: 1, in: "walker list"),
    Case(
      ["list", "--limit", "--"], .missingValue, "option '--limit' needs a value: --limit N", at: 1,
      in: "walker list"),
    Case(
      ["list", "--json=yes"], .unexpectedValue, "option '--json' takes no value, but got 'yes'", at: 1,
      in: "walker list"),
    Case(
      ["list", "-j=yes"], .unexpectedValue, "option '-j' takes no value, but got 'yes'", at: 1,
      in: "walker list"),
    Case(
      ["list", "--limit", "5", "-n6"], .repeatedOption, "option '-n' can't be used more than once", at: 3,
      in: "walker list"),
    Case(
      ["-f", "a", "list", "--file=a"], .repeatedOption, "option '--file' can't be used more than once", at: 3,
      in: "walker list"),
    Case(
      ["list", "--color", "alwys"], .invalidValue,
      "option '--color' must be auto, always or never, not 'alwys'; did you mean 'always'?", at: 2,
      in: "walker list"),
    Case(
      ["list", "--color=mauve"], .invalidValue, "option '--color' must be auto, always or never, not 'mauve'",
      at: 1, in: "walker list"),
    Case(
      ["list", "nmae"], .invalidValue, "ORDER must be name or start, not 'nmae'; did you mean 'name'?", at: 1,
      in: "walker list"),
    // Missing arguments
    Case(["add", "break"], .missingOption, "missing option '--minutes N'", at: nil, in: "walker add break"),
    Case(
      ["add", "walk"], .missingPositional, "missing TITLE: What the walk is called", at: nil,
      in: "walker add walk"),
    Case(
      ["join", "a"], .missingPositional, "missing WALK: The walks to put in, '-' for standard input", at: nil,
      in: "walker join"),
    Case(
      ["add", "walk", "To", "the", "sea"], .surplusPositional,
      "unexpected 'the': 'walker add walk' takes TITLE only; put quotes around a value with spaces", at: 3,
      in: "walker add walk"),
    Case(
      ["add", "break", "--minutes", "5", "now"], .surplusPositional,
      "unexpected 'now': 'walker add break' takes options only", at: 4, in: "walker add break"),
  ]

  @Test(arguments: cases) func says(_ expected: Case) throws {
    let error = try #require(throws: UsageError.self) { try sample.parse(expected.words) }
    #expect(error.problem == expected.problem)
    #expect(error.description == expected.message)
    #expect(error.index == expected.index)
    #expect(error.path.joined(separator: " ") == expected.path)
    // The index points to the named word.
    if let index = error.index, let word = error.word { #expect(expected.words[index].contains(word)) }
  }

  @Test func pointsToHelp() throws {
    let error = #expect(throws: UsageError.self) { try sample.parse(["add", "walk"]) }
    #expect(error?.helpLine == "walker help add walk")
    #expect(#expect(throws: UsageError.self) { try sample.parse([]) }?.helpLine == "walker help")
  }

  @Test func valuesThatTheProgramRefuses() throws {
    struct Refusal: Error, CustomStringConvertible { var description: String { "a pace is above zero" } }
    let parsed = try sample.parse(["add", "walk", "Sea", "-p", "-1", "-t", "a", "-t", "b"])
    func refuse(_ text: String) throws -> Int { throw Refusal() }
    let error = #expect(throws: UsageError.self) { try parsed.value("pace", as: refuse) }
    #expect(error?.description == "option '-p': a pace is above zero")
    #expect(error?.index == 4)
    #expect(error?.problem == .invalidValue)
    #expect(try parsed.values("tag", as: { $0.uppercased() }) == ["A", "B"])
    #expect(try parsed.value("start", as: refuse) == nil)
    #expect(try parsed.required("title") == "Sea")
    #expect(try parsed.required("title", as: { $0.count }) == 3)
    #expect(
      #expect(throws: UsageError.self) { try parsed.required("title", as: refuse) }?.message
        == "TITLE: a pace is above zero")
  }

  @Test(
    arguments: [
      ("5", 5, nil), ("20", 20, nil), ("0", nil, "not '0'"), ("21", nil, "not '21'"),
      ("5.5", nil, "not '5.5'"),
      ("99999999999999999999", nil, "not '99999999999999999999'"), ("", nil, "not ''"),
    ] as [(String, Int?, String?)])
  func integers(text: String, number: Int?, complaint: String?) throws {
    let parsed = try sample.parse(["list", "--limit=\(text)"])
    guard let complaint else {
      #expect(try parsed.integer("limit", in: 1...20) == number)
      return
    }
    let error = #expect(throws: UsageError.self) { try parsed.integer("limit", in: 1...20) }
    #expect(error?.message == "option '--limit' must be a whole number from 1 to 20, \(complaint)")
  }

  @Test func requiredAfterHelp() throws {
    let parsed = try sample.parse(["add", "walk", "--help"])
    #expect(throws: UsageError.self) { try parsed.required("title") }
  }

  @Test func badEnvironment() throws {
    let table = CommandTable(
      Command(
        "t", summary: "Test",
        options: [.value("mode", "M", completion: .choices(["a", "b"]), environment: "T_MODE", "Mode")]))
    let error = #expect(throws: UsageError.self) { try table.parse([], environment: ["T_MODE": "c"]) }
    #expect(error?.message == "variable T_MODE must be a or b, not 'c'; did you mean 'a' or 'b'?")
    #expect(error?.index == nil)
  }
}
