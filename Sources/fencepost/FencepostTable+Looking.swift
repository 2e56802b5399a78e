import CommandLineTable

extension FencepostTable {
  static let lastDevice = Option.value(
    "device", "NAME", completion: .program("devices"),
    "Of several devices, take this one's last position; the one heard of last unless said")

  // MARK: Looking at items

  static let list = Command(
    "list", aliases: ["ls"], summary: "List reminders, or events",
    discussion: [
      """
      Reminders that are not done, unless other options say more. Piped, a line has tabs: mark, identifier, time, \
      title, alarms, list. An event that repeats is listed at its next occurrence, and events that are over come last. On \
      a terminal subtasks stand below what they are a part of.
      """
    ],
    examples: [
      Example("fencepost list Errands --due week", "The week's errands"),
      Example("fencepost list --near Office --within 2km", "What can be done round a place"),
      Example("fencepost list --all --tag garden --sort title", "All that has a tag, done or not"),
      Example("fencepost list --completed", "What is done, the latest first"),
    ],
    options: [
      .value(
        "list", "NAME", short: "l", aliases: ["calendar"], repeatable: true, completion: .program("lists"),
        "Only those of this list or calendar, as `NAME` does"),
      .value(
        "due", "WHEN", short: "d",
        "Only those due then: `today`, `week`, `3d`, `next week`, `overdue`, `none`, a date or `monday..friday`"
      ),
      .value("near", "PLACE", completion: .program("places"), "Only those at places near here"),
      .value("within", "LENGTH", short: "w", default: "1km", "How far `--near` looks"),
      .value("text", "WORDS", "Only those that have these words in title, location or notes"),
      .value(
        "priority", "RANGE", short: "p",
        "Only those of this priority: `high`, `medium`, `low`, `any`, `none`, `1-5`"),
      .value("tag", "NAME", short: "t", repeatable: true, "Only those with this tag"),
      .flag("events", short: "e", "List events instead of reminders"),
      .flag("reminders", "List reminders; with `--events`, both"),
      .flag("completed", short: "c", "List the reminders that are done, the latest first"),
      .flag("all", short: "a", "List reminders and events, done or not"),
      .value(
        "sort", "KEY", short: "s", completion: .choices(["time", "title", "priority", "list", "created"]),
        default: "time", "What to sort by"),
    ],
    positionals: [
      Positional("name", .zeroOrMore, "Only this list or calendar", completion: .program("lists"))
    ])

  static let agenda = Command(
    "agenda", summary: "Show what takes place and what is due, by day",
    discussion: [
      """
      The days from today on, a week unless another span is said: `day`, `week`, `month`, `3d`, `2 weeks` from `--from` on, \
      or `today`, `tomorrow`, `next week`, `weekend`, `friday`, `monday..friday`. Whole days first, what is going on marked, and \
      reminders that are overdue before all. Piped, a line has tabs: day, start, end, mark, title, list, identifier.
      """
    ],
    examples: [
      Example("fencepost agenda today", "Today"),
      Example("fencepost agenda next week", "From Monday to Sunday"),
      Example("fencepost agenda month --from 2026-05-01 --list Errands", "A month of one list"),
    ],
    options: [
      .value("from", "WHEN", short: "f", completion: .program("dates"), default: "today", "The first day"),
      .value(
        "list", "NAME", short: "l", aliases: ["calendar"], repeatable: true, completion: .program("lists"),
        "Only this list or calendar"),
    ],
    positionals: [
      Positional("span", .zeroOrMore, "Which days to show", completion: .program("spans"))
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
    discussion: ["Without a `PLACE`, or with `here`, it is where a device was last."],
    examples: [
      Example("fencepost near 52.3990,13.0640 --within 2km", "Errands round here"),
      Example("fencepost near Office", "Round a place that was given a name"),
    ],
    options: [
      .value("within", "LENGTH", short: "w", default: "1km", "How far to look"), lastDevice,
    ],
    positionals: [
      Positional(
        "place", .optional, "A coordinate, or the name of a place", metavariable: "PLACE",
        completion: .program("places"))
    ])
}
