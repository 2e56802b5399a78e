import FencepostCommandLineTable

extension FencepostTable {
  /// The commands that exchange items with other programs.
  static let interchangeCommands: [Command] = [
    importing, exporting, subscribing, unsubscribing, subscriptions, refreshing,
  ]

  private static let importing = Command(
    "import", summary: "Import files into the store",
    discussion: [
      """
      Each file is imported completely or not at all. An item with a known UID is updated, unless the store has a \
      later revision (by SEQUENCE, then LAST-MODIFIED or DTSTAMP). It stays in its list unless `--list` is given. \
      Unchanged items are not touched.
      """,
      """
      New items go to the list that the file names (`X-WR-CALNAME`, `NAME`), with its colour, unless `--list` is \
      given. Journals and similar components are kept for export.
      """,
      """
      A file may also be a scheduling message (RFC 5546). A `REPLY` changes only the attendee's answer, and a `CANCEL` \
      cancels the event or the occurrence. Other messages are refused with an error.
      """,
      """
      Birthdays and anniversaries of contacts (vCard, `.vcf`) go to the read-only calendar `Birthdays`, or that of \
      `--list`. OwnTracks waypoints (`.otrw`) become reminders in the list `Places`.
      """,
      """
      A file of JSCalendar (RFC 8984) has an event, a task or a group of them. Its entries without a `uid` are skipped.
      """,
      """
      For a folder, all such files except JSCalendar in it and its subfolders are imported. If one fails, the others \
      are still imported.
      """,
    ],
    examples: [
      Example("fencepost import Data/errands.ics --list Errands", "Import a file into one list"),
      Example("fencepost import --dry-run Data/errands.ics", "Show what would change"),
    ],
    options: [
      .value(
        .list, "NAME", short: "l", aliases: ["into"], completion: .program("lists"),
        "Put all items into this list or calendar; created if needed"),
      .flag(.dryRun, short: "n", "Show what would change, and change nothing"),
      .flag(.prune, "Remove items of the list that are not in the file"),
      .flag(.yes, short: "y", "Don't ask for confirmation before removing items"),
    ],
    positionals: [
      Positional(
        .file, .oneOrMore,
        "An iCalendar file (RFC 5545), `-` for standard input, JSCalendar, a vCard file, OwnTracks waypoints, or a folder",
        completion: .file(extensions: ["ics", "json", "vcf", "otrw"]))
    ],
    action: .run { try $0.importFiles() })

  private static let exporting = Command(
    "export", summary: "Write reminders and events as an iCalendar file, or as JSCalendar",
    discussion: [
      "Writes properties from other programs unchanged. With `--list`, also writes the name and colour of the list.",
      """
      JSCalendar (RFC 8984) is a group of all items. It has no colour of the list, no journals, and no form for \
      properties that only iCalendar has.
      """,
    ],
    examples: [
      Example("fencepost export --list Errands -o errands.ics", "Export one list"),
      Example(
        "fencepost export --format jscalendar", "Export everything for a program that reads JSON"),
    ],
    options: [
      .value(.list, "NAME", completion: .program("lists"), "Only this list or calendar"),
      .value(
        .format, "NAME", completion: .choices(["icalendar", "jscalendar"]), default: "icalendar",
        "The format: `icalendar` or `jscalendar`"),
      .value(
        .output, "FILE", short: "o", completion: .file(extensions: ["ics", "json"]), "Write to this file"),
    ],
    action: .run { try $0.export() })

  private static let subscribing = Command(
    "subscribe", summary: "Subscribe to a calendar at an address or in a file",
    discussion: [
      """
      Creates a read-only calendar with the contents of the address. The daemon refreshes it regularly; so does \
      `fencepost refresh`. `webcal://` means `https://`. A failed download changes nothing.
      """
    ],
    examples: [
      Example("fencepost subscribe Data/errands.ics --list Errands", "Subscribe to a file"),
      Example(
        "fencepost subscribe webcal://example.org/holidays.ics --refresh 1d", "Refresh daily"),
    ],
    options: [
      .value(
        .list, "NAME", aliases: ["into"], completion: .program("calendars"),
        "Name of the calendar, instead of its own"),
      .value(
        .refresh, "SPAN", default: "the calendar's own, or 1h",
        "Refresh interval, such as `30m` or `1d`"),
    ],
    positionals: [
      Positional(
        .address, .required, "An `https://`, `http://` or `webcal://` address, or the path of a file",
        metavariable: "URL|FILE", completion: .file(extensions: ["ics"]))
    ],
    action: .run { try $0.subscribe() })

  private static let subscription = "Name of the calendar, or its address"

  private static let unsubscribing = Command(
    "unsubscribe", summary: "Unsubscribe and remove the calendar",
    examples: [Example("fencepost unsubscribe Holidays --yes", "Remove the calendar and its events")],
    options: [.flag(.yes, short: "y", "Don't ask for confirmation")],
    positionals: [
      Positional(.name, .oneOrMore, subscription, completion: .program("subscriptions"))
    ],
    action: .run { try $0.unsubscribe() })

  private static let subscriptions = Command(
    "subscriptions", summary: "List subscriptions and their state",
    examples: [Example("fencepost subscriptions", "List all subscriptions")],
    action: .run { try $0.listSubscriptions() })

  private static let refreshing = Command(
    "refresh", summary: "Refresh subscriptions now",
    discussion: ["Refreshes all, and fails if any of them fails."],
    examples: [
      Example("fencepost refresh", "All subscriptions, whether due or not"),
      Example("fencepost refresh Holidays", "One subscription"),
    ],
    positionals: [
      Positional(.name, .zeroOrMore, subscription, completion: .program("subscriptions"))
    ],
    action: .run(isUndoable: false) { try $0.refresh() })
}
