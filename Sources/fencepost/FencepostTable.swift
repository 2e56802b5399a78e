import CommandLineTable

/// The table of all commands, for the parser, the help, the manual and the completions.
enum FencepostTable {
  /// The version of the next release, which CHANGELOG.md has under "Unreleased".
  static let version = "0.1.0"

  static let table = CommandTable(
    Command(
      "fencepost", summary: "Reminders that know where you are",
      discussion: [
        """
        Calendars, events and reminders live in one file, the store. Positions stream in from a trace, a \
        pipe or a receiver, and alarms go off when a boundary is crossed or a time comes, once each.
        """
      ],
      options: [.version],
      sharedOptions: [store, zone, json, color, .help],
      subcommands: [add, edit, complete, remove, move, undo, redo].map { $0.under("Changing items") }
        + [list, agenda, search, show, near].map { $0.under("Looking at items") }
        + [lists, sources, places, access].map { $0.under("Lists, places and apps") }
        + (interchangeCommands + [occurrences]).map { $0.under("Files of other programs") }
        + [backup, restore].map { $0.under("Backups") }
        + [replay, explain, tracks].map { $0.under("Traces") }
        + daemonCommands.map { $0.under("Letting alarms go off") }
        + [completions, manual, .candidates, .help].map { $0.under("Help") }))

  // MARK: Options that every command has

  private static let store = Option.value(
    "store", "PATH", completion: .file(extensions: ["sqlite"]),
    default: "$XDG_DATA_HOME/fencepost/calendar.sqlite", environment: "FENCEPOST_STORE",
    category: "Everywhere", "Use this store")
  private static let zone = Option.value(
    "zone", "NAME", default: "the system's", environment: "FENCEPOST_ZONE", category: "Everywhere",
    "Read and show times in this zone, such as `Europe/Berlin`")
  private static let json = Option.flag("json", category: "Everywhere", "Print one JSON object a line")
  private static let color = Option.value(
    "color", "WHEN", completion: .choices(["auto", "always", "never"]), default: "auto",
    category: "Everywhere", "Colour the output")

  // MARK: Playing a trace

  private static let replay = Command(
    "replay", summary: "Play a trace and print the alarms that would have gone off",
    discussion: [
      """
      Each `TRACE` is a recording: GPX, KML, TCX, Garmin FIT, IGC, NMEA 0183, CSV, GeoJSON, or what OwnTracks, Overland, \
      Traccar, gpsd and Google export, in gzip or ZIP or not; what it is is seen from its content. `-` is standard \
      input. Several traces are merged by time, each a device of its own \
      unless it names its devices. The clock is the traces' own: a week of alarms plays in a second.
      """,
      """
      With `--reminders`, the reminders of that file are played, and nothing needs to be set up. Without it \
      those of the store are. Nothing is changed in the store unless `--record` says so.
      """,
    ],
    examples: [
      Example(
        "fencepost replay --reminders Data/errands.ics Data/errands-walk.gpx",
        "What would have reminded you on a walk"),
      Example(
        "fencepost replay --reminders Data/errands.ics --map walk.html Data/errands-walk.gpx",
        "The walk on a map, for a browser"),
      Example("gunzip -c walk.gpx.gz | fencepost replay --json -", "The store's alarms, for a program"),
    ],
    options: [
      .value(
        "reminders", "FILE.ics", repeatable: true, completion: .file(extensions: ["ics"]),
        "Play the reminders and events of this file instead of the store's"),
      .flag("transitions", "Print each fence that was entered or left, besides the alarms"),
      .value(
        "map", "FILE.html", completion: .file(extensions: ["html"]), category: "Pictures",
        "Draw what happened on a map that a browser opens, with a slider over time"),
      .flag(
        "tiles", category: "Pictures",
        "Let the map show the streets of OpenStreetMap, fetched when it is opened; its server may refuse a page that was opened as a file"
      ),
      .value(
        "svg", "FILE.svg", completion: .file(extensions: ["svg"]), category: "Pictures",
        "Draw what happened as a picture for a document"),
      .flag(
        "record",
        "Keep firings and last known positions in the store, so that a later trace goes on from there"),
      traceFormat,
    ] + policy,
    positionals: [
      Positional("trace", .oneOrMore, "A recording of positions; `-` for standard input", completion: .file())
    ])

  private static let traceFormat = Option.value(
    "format", "gpsbabel:NAME",
    "Let gpsbabel, where it is installed, read the traces in its format NAME, for what is not known here")

  private static let tracks = Command(
    "tracks", summary: "Say what is in a trace: devices, times, gaps, accuracy, speed",
    discussion: [
      """
      Reads each `TRACE` as `replay` does, and weighs nothing against any reminder. On a terminal it prints a \
      block for each device; piped, a line with tabs: trace, format, device, fixes, segments, first and last \
      time, seconds, median interval, longest gap, gaps over ten minutes, median and worst accuracy, highest \
      speed, metres, duplicates, late fixes, jumps, rejected records.
      """
    ],
    examples: [Example("fencepost tracks Data/*.gpx Data/*.csv", "What the example traces hold")],
    options: [traceFormat],
    positionals: [
      Positional("trace", .oneOrMore, "A recording of positions; `-` for standard input", completion: .file())
    ])

  private static let explain = Command(
    "explain", summary: "Tell why an alarm at a place went off in a trace, or did not",
    discussion: [
      """
      A line for each change of mind: which positions were ignored and why, when a device may have crossed a \
      boundary, what was decided, and which alarms went off. A crossing while no position came for five minutes \
      or more is told with the times between which it was. `--verbose` adds the numbers: distance, accuracy, and \
      the evidence as odds, which is enough at `--certainty`.
      """
    ],
    examples: [
      Example(
        "fencepost explain --reminders Data/errands.ics Data/noisy-phone.csv --place Home",
        "What the phone said about being at home")
    ],
    options: [
      .value(
        "reminders", "FILE.ics", repeatable: true, completion: .file(extensions: ["ics"]),
        "Explain the alarms of this file instead of the store's"),
      .value("place", "NAME", "Only places whose name has this in it"),
      .flag("all", "Each position that was weighed, with its numbers, not only changes of mind"),
      .flag("verbose", "Each ignored position, and the numbers behind each decision"),
      traceFormat,
    ] + policy,
    positionals: [
      Positional("trace", .oneOrMore, "A recording of positions; `-` for standard input", completion: .file())
    ])

  // MARK: Rules

  private static let occurrences = Command(
    "occurrences", summary: "Print when the items of a file take place, or what a rule gives",
    discussion: [
      """
      A line each: start, end and title. Times have the offset of their own zone; floating ones have none. \
      Without `--to` or `--count` it stops after 1,000. Of a file counts what `import` would make of it in an empty store.
      """
    ],
    examples: [
      Example(
        "fencepost occurrences --rrule 'FREQ=MONTHLY;BYDAY=-1FR' --start '2026-01-30 17:00' --count 12",
        "The last Friday of each month"),
      Example(
        "fencepost occurrences Data/errands.ics --from 2026-05-04 --to 2026-05-08", "A week of a file"),
    ],
    options: [
      .value("rrule", "RULE", "Expand this rule (RFC 5545) instead of a file"),
      .value("start", "WHEN", "The date and time that `--rrule` starts from"),
      .value("from", "WHEN", "Only what takes place from here on"),
      .value("to", "WHEN", "Only what starts before this"),
      .value("count", "N", "At most so many"),
    ],
    positionals: [
      Positional(
        "file", .zeroOrMore, "An iCalendar file; `-` for standard input",
        completion: .file(extensions: ["ics"]))
    ])

  // MARK: For the shell

  private static let completions = Command(
    "completions", summary: "Print a completion script for a shell",
    examples: [Example("fencepost completions bash > /etc/bash_completion.d/fencepost", "For all users")],
    positionals: [
      Positional(
        "shell", .required, "`bash`, `zsh` or `fish`", completion: .choices(["bash", "zsh", "fish"]))
    ])

  private static let manual = Command(
    "manual", summary: "Print the manual page, in mdoc",
    options: [
      .value("into", "FOLDER", completion: .directory, "Write the pages of all commands into this folder")
    ],
    positionals: [
      Positional("command", .zeroOrMore, "The command and its subcommand, for a page of its own")
    ],
    isHidden: true)
}
