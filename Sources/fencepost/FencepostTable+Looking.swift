import CommandLineTable

extension FencepostTable {
  // MARK: Looking at items

  static let list = Command(
    "list", aliases: ["ls"], summary: "List reminders, or events",
    discussion: [
      """
      Reminders that are not done, unless other options say more. Piped, a line has tabs: mark, identifier, time, \
      title, alarms, list. An event that repeats is listed at its next occurrence.
      """
    ],
    examples: [
      Example("fencepost list --list Errands --due week", "The week's errands"),
      Example("fencepost list --near Office --within 2km", "What can be done round a place"),
      Example("fencepost list --all --tag garden --sort title", "All that has a tag, done or not"),
    ],
    options: [
      .value(
        "list", "NAME", aliases: ["calendar"], repeatable: true, completion: .program("lists"),
        "Only those of this list or calendar"),
      .value(
        "due", "WHEN",
        "Only those due then: `today`, `tomorrow`, `week`, `overdue`, `none`, a date or `monday..friday`"),
      .value("near", "PLACE", completion: .program("places"), "Only those at places near here"),
      .value("within", "LENGTH", default: "1km", "How far `--near` looks"),
      .value("text", "WORDS", "Only those that have these words in title, location or notes"),
      .value(
        "priority", "RANGE", "Only those of this priority: `high`, `medium`, `low`, `any`, `none`, `1-5`"),
      .value("tag", "NAME", repeatable: true, "Only those with this tag"),
      .flag("events", "List events instead of reminders"),
      .flag("reminders", "List reminders; with `--events`, both"),
      .flag("completed", "List completed reminders too"),
      .flag("all", short: "a", "List reminders and events, done or not"),
      .value(
        "sort", "KEY", completion: .choices(["time", "title", "priority", "list", "created"]),
        default: "time", "What to sort by"),
    ])

  static let agenda = Command(
    "agenda", summary: "Show what takes place and what is due, by day",
    discussion: [
      """
      The days from today on, a week unless another span is said; whole days first, what is going on marked, and \
      reminders that are overdue before all. Piped, a line has tabs: day, start, end, mark, title, list, identifier.
      """
    ],
    examples: [
      Example("fencepost agenda day", "Today"),
      Example("fencepost agenda month --from 2026-05-01 --list Errands", "A month of one list"),
    ],
    options: [
      .value("from", "WHEN", completion: .program("dates"), default: "today", "The first day"),
      .value(
        "list", "NAME", aliases: ["calendar"], repeatable: true, completion: .program("lists"),
        "Only this list or calendar"),
    ],
    positionals: [
      Positional(
        "span", .optional, "How many days to show", completion: .choices(["day", "week", "month"]))
    ])

  static let search = Command(
    "search", aliases: ["find"], summary: "Find items by the words in them",
    discussion: [
      "All words are to be found in title, location or notes, in any case and order; done or not."
    ],
    examples: [Example("fencepost search 'oat milk'", "Both words")],
    options: [.value("limit", "N", default: "100", "How many at most")],
    positionals: [Positional("text", .required, "The words", metavariable: "WORDS")])

  static let show = Command(
    "show", summary: "Show all of an item",
    examples: [Example("fencepost show 1FFC", "One reminder")], positionals: [items])

  static let near = Command(
    "near", summary: "List what is to be done near a place, nearest first",
    examples: [
      Example("fencepost near 52.3990,13.0640 --within 2km", "Errands round here"),
      Example("fencepost near Office", "Round a place that was given a name"),
    ],
    options: [.value("within", "LENGTH", default: "1km", "How far to look")],
    positionals: [
      Positional(
        "place", .required, "A coordinate, or the name of a place", metavariable: "PLACE",
        completion: .program("places"))
    ])
}
