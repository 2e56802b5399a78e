import FencepostCommandLineTable

/// The table of all commands, for the parser, the help, the manual and the completions.
enum FencepostTable {
  /// The version of the next release, "Unreleased" in CHANGELOG.md.
  static let version = "0.1.0"

  static let table = CommandTable(
    Command(
      "fencepost", summary: "Reminders that know where you are",
      discussion: [
        """
        Fencepost keeps calendars, events and reminders in one file, the store. It reads positions from a trace, a \
        pipe or a receiver. An alarm goes off once when a device crosses a boundary, or when its time comes.
        """
      ],
      options: [.version],
      sharedOptions: [store, zone, json, color, .help],
      subcommands: [add, edit, complete, remove, move, undo, redo].map { $0.under("Change items") }
        + [list, agenda, search, show, near, join, open, conferences].map { $0.under("View items") }
        + [lists, sources, places, access].map { $0.under("Lists, places and apps") }
        + (interchangeCommands + [accounts, sync, suggestions, occurrences]).map {
          $0.under("Import and export")
        }
        + [backup, restore].map { $0.under("Backups") }
        + [replay, explain, tracks].map { $0.under("Traces") }
        + daemonCommands.map { $0.under("Daemon and alarms") }
        + [web, phone, clients].map { $0.under("Web app") }
        + [
          completions, manual, .candidates(.run { try $0.printCandidates() }),
          .help(.runAlone { try $0.showHelp() }),
        ].map { $0.under("Help") }))

  // MARK: Options of every command

  private static let store = Option.value(
    .store, "PATH", completion: .file(extensions: ["sqlite"]),
    default: "$XDG_DATA_HOME/fencepost/calendar.sqlite", environment: "FENCEPOST_STORE",
    category: "Global options", "Use this store")
  private static let zone = Option.value(
    .zone, "NAME", default: "the system's", environment: "FENCEPOST_ZONE", category: "Global options",
    "Read and show times in this zone, such as `Europe/Berlin`")
  private static let json = Option.flag(.json, category: "Global options", "Print one JSON object a line")
  private static let color = Option.value(
    .color, "WHEN", completion: .choices(["auto", "always", "never"]), default: "auto",
    category: "Global options", "Colour the output")

  // MARK: Playing a trace

  private static let replay = Command(
    "replay", summary: "Play a trace and print the alarms that it sets off",
    discussion: [
      """
      Each `TRACE` is a recording: GPX, KML, TCX, Garmin FIT, IGC, NMEA 0183, CSV, GeoJSON, or an export of OwnTracks, \
      Overland, Traccar, gpsd or Google. Files may be compressed with gzip or ZIP; the format is detected from the \
      content. `-` is standard input. Several traces are merged by time; each is one device unless it names its \
      devices. The clock follows the traces: a week of alarms plays in a second.
      """,
      """
      With `--reminders`, the alarms come from that file, and no store is needed. Otherwise they come from the store. \
      The store does not change unless you use `--record`.
      """,
    ],
    examples: [
      Example(
        "fencepost replay --reminders Data/errands.ics Data/errands-walk.gpx",
        "The alarms of a walk"),
      Example(
        "fencepost replay --reminders Data/errands.ics --map walk.html Data/errands-walk.gpx",
        "Draw the walk on a map"),
      Example("gunzip -c walk.gpx.gz | fencepost replay --json -", "The store's alarms as JSON"),
    ],
    options: [
      .value(
        .reminders, "FILE.ics", repeatable: true, completion: .file(extensions: ["ics"]),
        "Use the reminders and events of this file instead of the store's"),
      .flag(.transitions, "Also print each fence that a device entered or left"),
      .value(
        .map, "FILE.html", completion: .file(extensions: ["html"]), category: "Pictures",
        "Draw a map for a browser, with a time slider"),
      .flag(
        .tiles, category: "Pictures",
        "Show OpenStreetMap tiles, which the browser downloads; the tile server may refuse a page opened as a file"
      ),
      .value(
        .svg, "FILE.svg", completion: .file(extensions: ["svg"]), category: "Pictures",
        "Draw a picture for a document"),
      .flag(
        .record,
        "Save firings and last known positions in the store, so that a later trace continues from there"),
      traceFormat,
    ] + policy,
    positionals: [
      Positional(.trace, .oneOrMore, "A recording of positions; `-` for standard input", completion: .file())
    ],
    action: .run(isUndoable: false) { try $0.replay() })

  private static let traceFormat = Option.value(
    .format, "gpsbabel:NAME",
    "Read the traces with gpsbabel, if installed, in its format NAME")

  private static let tracks = Command(
    "tracks", summary: "Summarize a trace: devices, times, gaps, accuracy, speed",
    discussion: [
      """
      Reads each `TRACE` as `replay` does, without alarms. On a terminal it prints a block for each device; in a pipe, \
      one line with tabs: trace, format, device, fixes, segments, first and last time, seconds, median interval, \
      longest gap, gaps over ten minutes, median and worst accuracy, highest speed, metres, duplicates, late fixes, \
      jumps, rejected records.
      """
    ],
    examples: [Example("fencepost tracks Data/*.gpx Data/*.csv", "Summarize the example traces")],
    options: [traceFormat],
    positionals: [
      Positional(.trace, .oneOrMore, "A recording of positions; `-` for standard input", completion: .file())
    ],
    action: .run { try $0.tracks() })

  private static let explain = Command(
    "explain", summary: "Explain why a place alarm went off in a trace, or did not",
    discussion: [
      """
      Prints a line for each decision: which positions were ignored and why, when a device may have crossed a \
      boundary, the decision, and which alarms went off. For a crossing in a gap of five minutes or more it prints the \
      times of both ends. `--verbose` adds distance, accuracy, the odds, and the odds that are needed.
      """
    ],
    examples: [
      Example(
        "fencepost explain --reminders Data/errands.ics Data/noisy-phone.csv --place Home",
        "Explain the alarms at home")
    ],
    options: [
      .value(
        .reminders, "FILE.ics", repeatable: true, completion: .file(extensions: ["ics"]),
        "Use the alarms of this file instead of the store's"),
      .value(.place, "NAME", "Only places whose name contains this"),
      .flag(.all, "Print every weighed position with its numbers, not only decisions"),
      .flag(.verbose, "Print every ignored position, and the numbers behind each decision"),
      traceFormat,
    ] + policy,
    positionals: [
      Positional(.trace, .oneOrMore, "A recording of positions; `-` for standard input", completion: .file())
    ],
    action: .run(isUndoable: false) { try $0.explain() })

  // MARK: Rules

  private static let occurrences = Command(
    "occurrences", summary: "Print the occurrences of a file or of a rule",
    discussion: [
      """
      Prints a line for each: start, end and title. Times have the offset of their zone; floating times have none. \
      Without `--to` or `--count` it stops after 1,000. A file gives the same occurrences as after `import` into an \
      empty store.
      """
    ],
    examples: [
      Example(
        "fencepost occurrences --rrule 'FREQ=MONTHLY;BYDAY=-1FR' --start '2026-01-30 17:00' --count 12",
        "The last Friday of each month"),
      Example(
        "fencepost occurrences Data/errands.ics --from 2026-05-04 --to 2026-05-08", "One week of a file"),
    ],
    options: [
      .value(.rrule, "RULE", "Expand this rule (RFC 5545) instead of a file"),
      .value(.start, "WHEN", "Start of `--rrule`"),
      .value(.from, "WHEN", "Only occurrences that end after this"),
      .value(.to, "WHEN", "Only occurrences that start before this"),
      .value(.count, "N", "Maximum number"),
    ],
    positionals: [
      Positional(
        .file, .zeroOrMore, "An iCalendar file; `-` for standard input",
        completion: .file(extensions: ["ics"]))
    ],
    action: .run { try $0.occurrences() })

  // MARK: For the shell

  private static let completions = Command(
    "completions", summary: "Print a completion script for a shell",
    examples: [Example("fencepost completions bash > /etc/bash_completion.d/fencepost", "For all users")],
    positionals: [
      Positional(
        .shell, .required, "`bash`, `zsh` or `fish`", completion: .choices(["bash", "zsh", "fish"]))
    ],
    action: .runAlone { try $0.printCompletions() })

  private static let manual = Command(
    "manual", summary: "Print the manual page, in mdoc",
    options: [
      .value(.into, "FOLDER", completion: .directory, "Write the pages of all commands to this folder")
    ],
    positionals: [
      Positional(.command, .zeroOrMore, "A command, for its own page")
    ],
    isHidden: true,
    action: .runAlone { try $0.printManual() })
}
