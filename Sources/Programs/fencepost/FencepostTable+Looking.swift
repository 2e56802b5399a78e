import FencepostCommandLineTable

extension FencepostTable {
  static let lastDevice = Option.value(
    .device, "NAME", completion: .program("devices"),
    "Use the last position of this device; the default is the latest of all")

  // MARK: Listing items

  static let list = Command(
    "list", aliases: ["ls"], summary: "List reminders or events",
    discussion: [
      """
      By default lists open reminders. In a pipe, each line has tabs: mark, identifier, time, title, alarms, list. A \
      recurring event is listed at its next occurrence, and past events come last. On a terminal, subtasks follow \
      their parent.
      """
    ],
    examples: [
      Example("fencepost list Errands --due week", "Errands due this week"),
      Example("fencepost list --near Office --within 2km", "Reminders near a place"),
      Example("fencepost list --all --tag garden --sort title", "Everything with a tag"),
      Example("fencepost list --completed", "Completed reminders, latest first"),
    ],
    options: [
      .value(
        .list, "NAME", short: "l", aliases: ["calendar"], repeatable: true, completion: .program("lists"),
        "Only this list or calendar, like `NAME`"),
      .value(
        .due, "WHEN", short: "d",
        "Only due then: `today`, `week`, `3d`, `next week`, `overdue`, `none`, a date or `monday..friday`"
      ),
      .value(.near, "PLACE", completion: .program("places"), "Only with places near here"),
      .value(.within, "LENGTH", short: "w", default: "1km", "Radius of `--near`"),
      .value(.text, "WORDS", "Only with these words in title, location or notes"),
      .value(
        .priority, "RANGE", short: "p",
        "Only this priority: `high`, `medium`, `low`, `any`, `none`, `1-5`"),
      .value(.tag, "NAME", short: "t", repeatable: true, "Only with this tag"),
      .flag(.events, short: "e", "List events instead of reminders"),
      .flag(.reminders, "List reminders; with `--events`, both"),
      .flag(.completed, short: "c", "List completed reminders, latest first"),
      .flag(.all, short: "a", "List all reminders and events, completed ones too"),
      .value(
        .sort, "KEY", short: "s", completion: .choices(["time", "title", "priority", "list", "created"]),
        default: "time", "Sort order"),
    ],
    positionals: [
      Positional(.name, .zeroOrMore, "Only this list or calendar", completion: .program("lists"))
    ],
    action: .run { try $0.list() })

  static let agenda = Command(
    "agenda", summary: "Show events and due reminders by day",
    discussion: [
      """
      Shows a week from today, or another span: `day`, `week`, `month`, `3d`, `2 weeks` from `--from` on, or `today`, \
      `tomorrow`, `next week`, `weekend`, `friday`, `monday..friday`. All-day items come first in a day, overdue \
      reminders before all days, and ongoing events are marked. In a pipe, each line has tabs: day, start, end, mark, \
      title, list, identifier.
      """
    ],
    examples: [
      Example("fencepost agenda today", "Today"),
      Example("fencepost agenda next week", "Monday to Sunday"),
      Example("fencepost agenda month --from 2026-05-01 --list Errands", "One month of one list"),
    ],
    options: [
      .value(.from, "WHEN", short: "f", completion: .program("dates"), default: "today", "The first day"),
      .value(
        .list, "NAME", short: "l", aliases: ["calendar"], repeatable: true, completion: .program("lists"),
        "Only this list or calendar"),
    ],
    positionals: [
      Positional(.span, .zeroOrMore, "Which days to show", completion: .program("spans"))
    ],
    action: .run { try $0.agenda() })

  static let search = Command(
    "search", aliases: ["find"], summary: "Find items by text",
    discussion: [
      "Finds items with all the words in title, location or notes, ignoring case and order, completed or not."
    ],
    examples: [Example("fencepost search 'oat milk'", "Both words")],
    options: [.value(.limit, "N", default: "100", "Maximum number")],
    positionals: [Positional(.text, .required, "The words", metavariable: "WORDS")],
    action: .run { try $0.search() })

  static let show = Command(
    "show", summary: "Show an item in full",
    examples: [Example("fencepost show 1FFC", "One reminder")], positionals: [items],
    action: .run { try $0.show() })

  static let near = Command(
    "near", summary: "List reminders near a place, nearest first",
    discussion: ["The default place, also called `here`, is the last known position of a device."],
    examples: [
      Example("fencepost near 52.3990,13.0640 --within 2km", "Reminders within two kilometres"),
      Example("fencepost near Office", "Reminders near a named place"),
    ],
    options: [
      .value(.within, "LENGTH", short: "w", default: "1km", "Search radius"), lastDevice,
    ],
    positionals: [
      Positional(
        .place, .optional, "A coordinate or the name of a place", metavariable: "PLACE",
        completion: .program("places"))
    ],
    action: .run { try $0.near() })
}
