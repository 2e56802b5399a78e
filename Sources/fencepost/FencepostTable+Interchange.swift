import CommandLineTable

extension FencepostTable {
  /// The commands that exchange items with other programs.
  static let interchangeCommands: [Command] = [
    importing, exporting, subscribing, unsubscribing, subscriptions, refreshing,
  ]

  private static let importing = Command(
    "import", summary: "Merge files of other programs into the store",
    discussion: [
      """
      One file, one transaction: a file is imported whole or not at all. An item that the store has already, by its \
      UID, is updated, unless the store has a later revision of it (by SEQUENCE, then LAST-MODIFIED or DTSTAMP), which \
      stays. It stays in its list, too, unless `--list` asks for another. What is the same is not touched.
      """,
      """
      New items go into the list that the file names (`X-WR-CALNAME`, `NAME`), in the file's colour, unless `--list` \
      asks for another. Journals and the like are kept as they are and exported again.
      """,
      """
      A file may also be a message (RFC 5546). A `REPLY` changes the attendee's answer and nothing else, a `CANCEL` \
      cancels the event or the occurrence. Other messages are refused, and say so.
      """,
      """
      Contacts (vCard, `.vcf`) bring their birthdays and anniversaries into the calendar `Birthdays`, or that of \
      `--list`, which can't be changed otherwise. OwnTracks' waypoints (`.otrw`) become reminders in the list `Places`.
      """,
      """
      Of a folder all such files are imported, those in folders within it too, each whole or not at all; one that fails is \
      named, and the others are imported all the same.
      """,
    ],
    examples: [
      Example("fencepost import Data/errands.ics --list Errands", "A file into one list"),
      Example("fencepost import --dry-run Data/errands.ics", "What that would change"),
    ],
    options: [
      .value(
        "list", "NAME", short: "l", aliases: ["into"], completion: .program("lists"),
        "Put all items, reminders and events alike, into this one list or calendar, made if need be"),
      .flag("dry-run", short: "n", "Say what would change, item by item, and change nothing"),
      .flag("prune", "Remove what is in that list and not in the file"),
      .flag("yes", short: "y", "Don't ask before something is removed"),
    ],
    positionals: [
      Positional(
        "file", .oneOrMore,
        "An iCalendar file (RFC 5545), `-` for one on standard input, vCards, OwnTracks' waypoints, or a folder",
        completion: .file(extensions: ["ics", "vcf", "otrw"]))
    ])

  private static let exporting = Command(
    "export", summary: "Write reminders and events as an iCalendar file",
    discussion: [
      "What other programs said of an item is written again as it stood. With `--list`, its name and colour are, too."
    ],
    examples: [Example("fencepost export --list Errands -o errands.ics", "A list, for another program")],
    options: [
      .value("list", "NAME", completion: .program("lists"), "Only this list or calendar"),
      .value("output", "FILE", short: "o", completion: .file(extensions: ["ics"]), "Write to this file"),
    ])

  private static let subscribing = Command(
    "subscribe", summary: "Keep a calendar from an address or a file",
    discussion: [
      """
      Makes a calendar that holds what the address holds, read-only, and looks there again from time to time: the \
      daemon by itself, or `fencepost refresh`. `webcal://` means `https://`. What can't be had, or is no calendar, \
      changes nothing.
      """
    ],
    examples: [
      Example("fencepost subscribe Data/errands.ics --list Errands", "A file that another program keeps"),
      Example(
        "fencepost subscribe webcal://example.org/holidays.ics --refresh 1d", "Holidays, looked at daily"),
    ],
    options: [
      .value(
        "list", "NAME", aliases: ["into"], completion: .program("calendars"),
        "What to call the calendar instead of by its own name"),
      .value(
        "refresh", "SPAN", default: "what the calendar asks for, or 1h",
        "How often to look, such as `30m` or `1d`"),
    ],
    positionals: [
      Positional(
        "address", .required, "`https://`, `http://` or `webcal://` and so on, or the path of a file",
        metavariable: "URL|FILE", completion: .file(extensions: ["ics"]))
    ])

  private static let subscription = "A subscription's calendar by name, or its address"

  private static let unsubscribing = Command(
    "unsubscribe", summary: "Remove a calendar that is kept from an address",
    examples: [Example("fencepost unsubscribe Holidays --yes", "Its calendar goes, with all that is in it")],
    options: [.flag("yes", short: "y", "Don't ask")],
    positionals: [
      Positional("name", .oneOrMore, subscription, completion: .program("subscriptions"))
    ])

  private static let subscriptions = Command(
    "subscriptions", summary: "List the calendars that are kept from an address, and how that goes",
    examples: [Example("fencepost subscriptions", "When each was looked at, and what went wrong")])

  private static let refreshing = Command(
    "refresh", summary: "Look for news at the addresses of subscriptions now",
    discussion: ["Fails where one of them can't be had; the others are looked at all the same."],
    examples: [
      Example("fencepost refresh", "All of them, whenever they are due"),
      Example("fencepost refresh Holidays", "One of them"),
    ],
    positionals: [
      Positional("name", .zeroOrMore, subscription, completion: .program("subscriptions"))
    ])
}
