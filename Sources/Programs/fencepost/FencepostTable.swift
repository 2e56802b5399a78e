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
        + [lists, sources, places, access, `guard`, mcp].map { $0.under("Lists, places and apps") }
        + [
          `import`, export, subscribe, unsubscribe, subscriptions, refresh, accounts, sync, suggestions,
          occurrences,
        ].map { $0.under("Import and export") }
        + [backup, restore].map { $0.under("Backups") }
        + [replay, explainTrace, tracks].map { $0.under("Traces") }
        + [
          setup, daemon, `try`, config, status, doctor, alarms, explain, pause, resume, reload, history,
          forget,
        ].map {
          $0.under("Daemon and alarms")
        }
        + [web, phone, clients].map { $0.under("Web app") }
        + [ingest, worker, fleet].map { $0.under("Fleets") }
        + [completions, manual, candidates, help].map { $0.under("Help") },
      hints: [
        "today": "agenda today", "tomorrow": "agenda tomorrow", "week": "agenda week", "calendar": "agenda",
        "due": "list --due today", "overdue": "list --due overdue", "version": "--version",
        "snooze": "alarms snooze", "ack": "alarms acknowledge", "next": "alarms next", "log": "alarms log",
        "new": "add", "create": "add", "start": "daemon", "devices": "status", "contacts": "places",
      ]))

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

  // MARK: Options of several commands

  static let confirmation = Option.flag(.yes, short: "y", "Don't ask for confirmation")

  static let lastDevice = Option.value(
    .device, "NAME", completion: .program("devices"),
    "Use the last position of this device; the default is the latest of all")

  /// The name of a list, a source or a place that exists.
  static func existing(_ summary: String, completion: String) -> Positional {
    Positional(.name, .required, summary, completion: .program(completion))
  }

  static let newName = Positional(.new, .required, "The new name", metavariable: "NEW-NAME")
}
