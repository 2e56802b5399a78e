public import FencepostCommandLineTable

typealias Command = FencepostCommandLineTable.Command<Bool>
typealias CommandTable = FencepostCommandLineTable.CommandTable<Bool>

// Tests write keys as literals.
extension FlagKey: ExpressibleByStringLiteral {
  /// A key.
  public init(stringLiteral name: String) { self.init(name) }
}
extension ValueKey: ExpressibleByStringLiteral {
  /// A key.
  public init(stringLiteral name: String) { self.init(name) }
}
extension PositionalKey: ExpressibleByStringLiteral {
  /// A key.
  public init(stringLiteral name: String) { self.init(name) }
}

/// A small table with each feature of a table.
let sample = CommandTable(
  Command(
    "walker", summary: "Plan walks",
    discussion: [
      "Walker keeps walks in a file and finds the next one. It has no other purpose than to be an example with a paragraph that is long enough to be wrapped.",
      "Give `--file` to use another file.",
    ],
    examples: [Example("walker add walk 'To the sea' --start -33.86,151.2", "Plan a walk in Sydney")],
    options: [.version],
    sharedOptions: [
      .value(
        "file", "PATH", short: "f", completion: .file(extensions: ["walks"]), default: "walks.walks",
        environment: "WALKER_FILE", "Keep the walks in this file"),
      .flag("json", short: "j", category: "Output", "Print one JSON object a line"),
      .value(
        "color", "WHEN", aliases: ["colour"], completion: .choices(["auto", "always", "never"]),
        default: "auto", category: "Output", "Colour the output"),
      .flag("verbose", short: "v", repeatable: true, category: "Output", "Say more; twice for everything"),
      .help,
    ],
    subcommands: [
      Command(
        "add", summary: "Add a walk or a break",
        subcommands: [
          Command(
            "walk", aliases: ["hike"], summary: "Add a walk",
            discussion: ["The walk starts at `--start`, else where the last one ended."],
            examples: [
              Example("walker add walk Home --tag short --tag dull", "Plan a walk with two tags"),
              Example("walker add walk Out --pace=-0.5", "Plan a walk backwards"),
            ],
            options: [
              .value("start", "LAT,LON", short: "s", "Where it starts, such as `-33.86,151.2`"),
              .value("pace", "M/S", short: "p", default: "1.3", "How fast it goes, in metres per second"),
              .value(
                "tag", "TAG", short: "t", repeatable: true, completion: .program("tags"),
                "Tag it"),
              .flag("return", short: "r", negatable: true, "Walk back as well"),
              .flag("quick", short: "q", "Ask nothing"),
              .flag("trace", hidden: true, "Trace the planner"),
            ],
            positionals: [Positional("title", .required, "What the walk is called")]),
          Command(
            "break", summary: "Add a break",
            options: [.value("minutes", "N", required: true, "How long it lasts")]),
        ]),
      Command(
        "list", aliases: ["ls"], summary: "List walks",
        options: [.value("limit", "N", short: "n", default: "20", "List so many at most")],
        positionals: [
          Positional(
            "order", .optional, "What to sort by", completion: .choices(["name", "start"]))
        ]),
      Command(
        "join", summary: "Join walks into one",
        options: [.value("into", "DIR", short: "1", completion: .directory, "Write it there")],
        positionals: [
          Positional("target", .required, "The walk that grows", completion: .program("walks")),
          Positional("walk", .oneOrMore, "The walks to put in, `-` for standard input", completion: .file()),
        ]),
      Command(
        "tags", summary: "List tags", options: [.flag("count", "Count the walks of each")],
        subcommands: [
          Command(
            "rename", summary: "Rename a tag",
            positionals: [
              Positional("old", .required, "Its name now"), Positional("new", .optional, "Its name then"),
            ])
        ], runsAlone: true),
      Command("debug", summary: "Look inside", isHidden: true),
      .help(true), .candidates(true),
    ]))
