import CommandLineTable

/// The table of all commands: from it come the parser, the help, the manual and the completions.
enum FencepostTable {
  /// The version that `--version` tells; the top entry of CHANGELOG.md.
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
      subcommands: [
        replay, explain, tracks, importing, exporting, add, list, show, complete, remove, near, occurrences,
      ] + daemonCommands + [access, completions, manual, .help]))

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
      Each `TRACE` is a recording: GPX, KML, TCX, Garmin FIT, NMEA 0183, CSV, GeoJSON, or what OwnTracks, Overland, \
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
      .flag("record", "Keep firings and whereabouts in the store, so that a later trace goes on from there"),
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
      A line for each change of mind: which fixes were turned away and why, when a boundary came into doubt, \
      what spoke for it, and what was decided. Evidence is told as odds; at `--certainty` it is enough.
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
      .flag("all", "Each fix that was weighed, not only changes of mind"),
      traceFormat,
    ] + policy,
    positionals: [
      Positional("trace", .oneOrMore, "A recording of positions; `-` for standard input", completion: .file())
    ])

  // MARK: Changing the store

  private static let importing = Command(
    "import", summary: "Read reminders and events from iCalendar files into the store",
    discussion: [
      "One file, one transaction: a file is imported whole or not at all. An item that the store has already is updated."
    ],
    examples: [Example("fencepost import Data/errands.ics --list Errands", "A file into one list")],
    options: [
      .value("list", "NAME", "Put the items in this list or calendar, made if need be")
    ],
    positionals: [
      Positional(
        "file", .oneOrMore,
        "An iCalendar file (RFC 5545), `-` for one on standard input, or OwnTracks' waypoints (`.otrw`)",
        completion: .file(extensions: ["ics", "otrw"]))
    ])

  private static let exporting = Command(
    "export", summary: "Write reminders and events as an iCalendar file",
    discussion: ["What other programs said of an item is written again as it stood."],
    examples: [Example("fencepost export --list Errands -o errands.ics", "A list, for another program")],
    options: [
      .value("list", "NAME", "Only this list or calendar"),
      .value("output", "FILE", short: "o", completion: .file(extensions: ["ics"]), "Write to this file"),
    ])

  private static let place: [Option] = [
    .value("arrive", "LAT,LON", category: "Place", "Go off on arriving here"),
    .value("leave", "LAT,LON", category: "Place", "Go off on leaving here"),
    .value(
      "radius", "LENGTH", default: "100m", category: "Place", "How far the place reaches, such as `150m`"),
    .value("place-name", "NAME", category: "Place", "What to call the place"),
    .value(
      "fence", "FILE.geojson", completion: .file(extensions: ["geojson", "json"]), category: "Place",
      "Go off at the polygons of this file"),
    .value(
      "when", "EVENT", completion: .choices(["arrive", "leave", "both"]), default: "arrive",
      category: "Place",
      "At `--fence`, go off on arriving, on leaving or both"),
    .value("dwell", "SPAN", category: "Place", "Go off after so long inside instead of on arriving"),
    .flag("if-inside", category: "Place", "Go off at once where a device is inside already"),
    .value(
      "times", "OFTEN", completion: .choices(["always", "daily", "once"]), default: "always",
      category: "Place",
      "Go off at every crossing, at the first of each day, or once ever"),
    .value(
      "between", "FROM-TO", category: "Place",
      "Go off at the place in these hours only, such as `08:00-18:30`"),
    .value(
      "on", "DAYS", category: "Place", "Go off at the place on these days only: `weekdays`, `sat, sun`"),
    .value("not-before", "DATE", category: "Place", "Go off at the place from this day on"),
    .value("not-after", "DATE", category: "Place", "Go off at the place until this day"),
    .value(
      "device", "NAME", repeatable: true, category: "Place", "Listen to this device only, at the place"),
    .value(
      "alarm", "WHEN", repeatable: true, category: "Time",
      "Go off at a date, or before the due time: `-15m`, `-1d`, `tomorrow 9am`"),
    .value(
      "repeat", "RULE", category: "Time", "Repeat: `daily`, `weekdays`, `every 2 weeks` or an RRULE"),
    .value("notes", "TEXT", "Say more about it"),
    .value("url", "URL", "Point to something"),
    .value("priority", "0-9", default: "0", "1 is the highest, 9 the lowest, 0 none"),
  ]

  private static let add = Command(
    "add", summary: "Add a reminder or an event",
    subcommands: [
      Command(
        "reminder", summary: "Add a reminder",
        examples: [
          Example(
            "fencepost add reminder 'Buy bread' --arrive 52.3990,13.0640 --radius 80 --place-name Bakery",
            "Goes off at the bakery"),
          Example(
            "fencepost add reminder 'Take medicine' --due '2026-05-01 08:00' --alarm 0m --repeat daily",
            "Goes off every morning"),
        ],
        options: [
          .value("list", "NAME", "Put it in this list, made if need be"),
          .value("due", "WHEN", category: "Time", "When it is due: `2026-05-01`, `tomorrow 9am`"),
        ] + place,
        positionals: [Positional("title", .required, "What to be reminded of")]),
      Command(
        "event", summary: "Add an event",
        examples: [
          Example(
            "fencepost add event 'Choir' --start 'thursday 19:00' --duration 2h --alarm -30m --repeat weekly",
            "Every Thursday, announced half an hour before")
        ],
        options: [
          .value("calendar", "NAME", "Put it in this calendar, made if need be"),
          .value("start", "WHEN", required: true, category: "Time", "When it starts"),
          .value("end", "WHEN", category: "Time", "When it ends"),
          .value("duration", "SPAN", default: "1h", category: "Time", "How long it takes, such as `90m`"),
          .value("location", "TEXT", category: "Place", "Where, in words"),
        ] + place,
        positionals: [Positional("title", .required, "What it is")]),
    ])

  private static let item = Positional(
    "id", .oneOrMore, "An item's identifier, or as much of its beginning as is unique")

  private static let complete = Command(
    "complete", summary: "Tick reminders off",
    discussion: ["A recurring reminder rolls on to its next occurrence."],
    options: [.flag("undo", "Mark them as not done")],
    positionals: [item])

  private static let remove = Command(
    "remove", summary: "Remove items", options: [.flag("yes", short: "y", "Don't ask")], positionals: [item])

  // MARK: Looking at the store

  private static let list = Command(
    "list", summary: "List reminders, or events",
    options: [
      .value("list", "NAME", "Only those of this list or calendar"),
      .flag("events", "List events instead of reminders"),
      .flag("completed", "List completed reminders too"),
    ])

  private static let show = Command("show", summary: "Show all of an item", positionals: [item])

  private static let near = Command(
    "near", summary: "List what is to be done near a place, nearest first",
    examples: [Example("fencepost near 52.3990,13.0640 --within 2km", "Errands round here")],
    options: [.value("within", "LENGTH", default: "1km", "How far to look")],
    positionals: [Positional("place", .required, "A coordinate", metavariable: "LAT,LON")])

  private static let occurrences = Command(
    "occurrences", summary: "Print when the items of a file take place, or what a rule gives",
    discussion: [
      """
      A line each: start, end and title. Times have the offset of their own zone; floating ones have none. \
      Without `--to` or `--count` it stops after 1,000.
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
    positionals: [
      Positional("command", .zeroOrMore, "The command and its subcommand, for a page of its own")
    ],
    isHidden: true)
}
