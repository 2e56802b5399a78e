import FencepostCommandLineTable

extension FencepostTable {
  // MARK: Options of an item

  private static let place: [Option] = [
    .value(
      .arrive, "PLACE", completion: .program("places"), category: "Place",
      "Alarm on arrival: `LAT,LON`, or a name from `fencepost places`"),
    .value(.leave, "PLACE", completion: .program("places"), category: "Place", "Alarm on departure"),
    .value(
      .radius, "LENGTH", default: "100m", category: "Place", "Radius of the place, such as `150m`"),
    .value(.placeName, "NAME", category: "Place", "Name of the place"),
    .value(
      .fence, "FILE.geojson", completion: .file(extensions: ["geojson", "json"]), category: "Place",
      "Alarm at the polygons of this file"),
    .value(
      .when, "EVENT", completion: .choices(["arrive", "leave", "both"]), default: "arrive",
      category: "Place",
      "With `--fence`, alarm on arrival, on departure or both"),
    .value(.dwell, "SPAN", category: "Place", "Alarm after this long inside instead of on arrival"),
    .flag(
      .ifInside, negatable: true, category: "Place", "Alarm at once if a device is already inside"),
    .flag(
      .passing, negatable: true, category: "Place", "Also alarm when a device only passes by"),
    .value(
      .times, "OFTEN", completion: .choices(["always", "daily", "once"]), default: "always",
      category: "Place",
      "Alarm at every crossing, at the first of each day, or only once"),
    .value(
      .between, "FROM-TO", category: "Place",
      "Place alarm only in these hours, such as `08:00-18:30`"),
    .value(
      .on, "DAYS", category: "Place", "Place alarm only on these days: `weekdays`, `sat, sun`"),
    .value(.notBefore, "DATE", category: "Place", "Place alarm only from this day on"),
    .value(.notAfter, "DATE", category: "Place", "Place alarm only until this day"),
    .value(
      .device, "NAME", repeatable: true, completion: .program("devices"), category: "Place",
      "Place alarm only for this device"),
  ]

  private static let common: [Option] = [
    .value(
      .alarm, "WHEN", short: "a", repeatable: true, category: "Time",
      "Alarm at a date, or relative to the due time: `-15m`, `-1d`, `tomorrow 9am`"),
    .value(
      .repeat, "RULE", short: "r", category: "Time",
      "Repeat: `daily`, `every 2 weeks`, `monthly on the last friday` or an RRULE"),
    .flag(.allDay, category: "Time", "Ignore times of day"),
    .value(.location, "TEXT", category: "Place", "Location as text"),
    .value(.notes, "TEXT", short: "n", "Notes"),
    .value(.url, "URL", "URL"),
    .value(.priority, "LEVEL", short: "p", "`high`, `medium`, `low`, `none`, or 1 (the highest) to 9"),
    .value(.tag, "NAME", short: "t", repeatable: true, "Add a tag"),
  ]

  private static let due = Option.value(
    .due, "WHEN", short: "d", category: "Time",
    "Due date: `2026-05-01`, `tomorrow 9am`, `in two hours`, `first monday of june`")

  private static let parent = Option.value(
    .parent, "ID", completion: .program("reminders"), "Add as a subtask of this reminder")

  static let add = Command(
    "add", summary: "Add reminders or an event",
    discussion: [
      """
      Without `reminder` or `event`, each `TITLE` is a reminder in one line. Put the due date and the repetition at \
      its start or end, and `#tag`, `!high` (`!medium`, `!low`, `!1` to `!9`) and `@Place` (or `@here`) anywhere. \
      Quote names with spaces: `@"Main Office"`. A backslash keeps a word as it is. The options are those of `add \
      reminder`, which does not interpret titles. `-` reads titles from standard input, one per line.
      """
    ],
    examples: [
      Example(
        "fencepost add 'Buy milk tomorrow 9am #shopping !high @Office'",
        "Due tomorrow at 9, with a tag, a priority and an alarm at the office"),
      Example("fencepost add 'Water the plants every monday' 'Call Anna friday 18:00'", "Two at once"),
      Example("fencepost add - < groceries.txt", "One reminder per line"),
    ],
    subcommands: [
      Command(
        "reminder", summary: "Add reminders",
        discussion: ["Titles are used as they are. `-` reads titles from standard input, one per line."],
        examples: [
          Example(
            "fencepost add reminder 'Buy bread' --arrive 52.3990,13.0640 --radius 80 --place-name Bakery",
            "Alarm at the bakery"),
          Example(
            "fencepost add reminder 'Take medicine' --due '2026-05-01 08:00' --alarm 0m --repeat daily",
            "Alarm every morning"),
          Example(
            "fencepost add reminder 'Ask for the keys' --arrive Office --between 08:00-10:00 --list Errands",
            "Alarm at a named place, in these hours"),
          Example("fencepost add reminder Rolls Rye --parent 1FFC", "Two subtasks"),
        ],
        options: [
          .value(
            .list, "NAME", short: "l", aliases: ["calendar"], completion: .program("lists"),
            "Add to this list; created if needed"),
          due, parent,
          .value(.start, "WHEN", short: "s", category: "Time", "Start date"),
          .flag(
            .noAlarm, category: "Time",
            "Add no alarm; the default is an alarm when due, or at 9:00 if due on a day"),
        ] + common + place,
        positionals: [Positional(.title, .oneOrMore, "Title of the reminder")],
        action: .run { try $0.addReminders() }),
      Command(
        "event", summary: "Add an event",
        examples: [
          Example(
            "fencepost add event 'Choir' --start 'thursday 19:00' --duration 2h --alarm -30m --repeat weekly",
            "Every Thursday, with an alarm half an hour before"),
          Example(
            "fencepost add event 'Holidays' --start 2026-07-20 --end 2026-08-02",
            "Whole days, including the last"),
        ],
        options: [
          .value(
            .calendar, "NAME", short: "c", aliases: ["list"], completion: .program("calendars"),
            "Add to this calendar; created if needed"),
          .value(.start, "WHEN", short: "s", required: true, category: "Time", "When it starts"),
          .value(.end, "WHEN", short: "e", category: "Time", "When it ends"),
          .value(.duration, "SPAN", default: "1h", category: "Time", "Duration, such as `90m`"),
          .value(
            .conference, "PROVIDER[:ROOM]", completion: .program("conferences"),
            "Create a room for a call, by a provider of `fencepost conferences`"),
        ] + common + place,
        positionals: [Positional(.title, .required, "Title of the event")],
        action: .run { try $0.addEvent() }),
    ], fallback: "reminder")

  // MARK: Changing items

  private static let item = Positional(
    .id, .required, "Identifier of an item, a unique prefix of it, or words from its title",
    completion: .program("items"))
  static let items = Positional(
    .id, .oneOrMore, "Identifier of an item, a unique prefix of it, or words from its title",
    completion: .program("items"))

  private static let reminders = Positional(
    .id, .oneOrMore, "Identifier of a reminder, a unique prefix of it, or words from its title",
    completion: .program("reminders"))

  static let span: [Option] = [
    .value(
      .span, "SPAN", completion: .choices(["this", "future", "all"]), category: "Recurring items",
      "One occurrence, it and all later ones, or all; the default is `this` with `--occurrence`, else `all`"),
    .value(
      .occurrence, "WHEN", category: "Recurring items",
      "The occurrence at this time or on this day; the default is the next one"),
  ]

  private static func without(_ key: FlagKey, _ summary: String) -> Option {
    .flag(key, category: "Removal", summary)
  }

  static let edit = Command(
    "edit", summary: "Change an item",
    discussion: [
      """
      Changes only what the options name. `--alarm`, `--arrive`, `--leave`, `--fence` and `--tag` add to the item; \
      `--radius`, `--between` and similar options without a place change its existing place alarms. A time without a \
      date keeps the date. A moved event keeps its duration.
      """
    ],
    examples: [
      Example("fencepost edit 1FFC --due 'friday 18:00' --priority 1", "Change due date and priority"),
      Example("fencepost edit 1FFC --no-due --no-alarms --arrive Office", "Replace the date with a place"),
      Example(
        "fencepost edit C401 --occurrence 2026-05-14 --start 20:00 --location 'Town hall'",
        "Change one occurrence"),
      Example(
        "fencepost edit C401 --span future --start 19:30", "Change the next occurrence and all later ones"),
    ],
    options: [
      .value(.title, "TEXT", "New title"),
      .value(
        .list, "NAME", aliases: ["calendar"], completion: .program("lists"),
        "Move to this list; created if needed"),
      due,
      parent,
      .value(.start, "WHEN", short: "s", category: "Time", "When it starts"),
      .value(.end, "WHEN", short: "e", category: "Time", "When an event ends"),
      .value(.duration, "SPAN", category: "Time", "Duration of an event, such as `90m`"),
    ] + common + place + span + [
      without(.noParent, "Make it a top-level reminder"), without(.noNotes, "Remove the notes"),
      without(.noURL, "Remove the URL"),
      without(.noLocation, "Remove the location"), without(.noPriority, "Remove the priority"),
      without(.noDue, "Remove the due date"),
      without(.noStart, "Remove the start date"),
      without(.noRepeat, "Remove the repetition"), without(.noTags, "Remove all tags"),
      .value(.removeTag, "NAME", repeatable: true, category: "Removal", "Remove a tag"),
      without(.noAlarms, "Remove all alarms, including the default one"),
      without(.noPlace, "Remove all place alarms"),
      .value(
        .removeAlarm, "N", repeatable: true, category: "Removal",
        "Remove an alarm, by its number in `fencepost show` or its identifier"),
      .flag(.anytime, category: "Removal", "Remove the time limits of place alarms"),
    ],
    positionals: [item],
    action: .run { try $0.edit() })

  static let complete = Command(
    "complete", aliases: ["done"], summary: "Mark reminders as completed",
    discussion: [
      "A recurring reminder moves on to its next occurrence. Open subtasks stay open."
    ],
    examples: [
      Example("fencepost complete 1FFC 4505", "Two at once"),
      Example("fencepost complete --undo F209", "Mark it as not completed"),
    ],
    options: [.flag(.undo, "Mark as not completed")],
    positionals: [reminders],
    action: .run { try $0.complete() })

  static let remove = Command(
    "remove", aliases: ["rm", "delete"], summary: "Remove items or occurrences",
    examples: [
      Example("fencepost remove 1FFC --yes", "Without confirmation"),
      Example("fencepost remove C401 --occurrence 2026-05-14 --yes", "Remove one occurrence"),
      Example("fencepost remove C401 --span future --yes", "Remove the next occurrence and all later ones"),
      Example("fencepost remove --completed --list Errands --yes", "Remove all completed errands"),
    ],
    options: span + [
      .flag(.completed, "Remove all completed reminders"),
      .value(
        .list, "NAME", short: "l", aliases: ["calendar"], repeatable: true, completion: .program("lists"),
        "With `--completed`, only in this list"),
      .flag(.yes, short: "y", "Don't ask for confirmation"),
    ],
    positionals: [
      Positional(
        .id, .zeroOrMore,
        "Identifier of an item, a unique prefix of it, or words from its title",
        completion: .program("items"))
    ],
    action: .run { try $0.remove() })

  static let move = Command(
    "move", summary: "Move items to another list or calendar",
    discussion: ["Subtasks move along."],
    examples: [Example("fencepost move 1FFC 4505 --list Home", "Move two reminders")],
    options: [
      .value(
        .list, "NAME", short: "l", aliases: ["calendar"], required: true, completion: .program("lists"),
        "The list; created if needed")
    ],
    positionals: [items],
    action: .run { try $0.move() })

  static let undo = Command(
    "undo", summary: "Undo the last change",
    discussion: [
      """
      Each command that changes something is one step, even an import. `undo` goes back one step. If an app or the \
      daemon has changed the same data since, `undo` reports that and changes nothing. The store keeps the last \
      hundred steps.
      """
    ],
    examples: [
      Example("fencepost undo", "Undo the last command"),
      Example("fencepost undo --list", "List the steps, latest first"),
    ],
    options: [.flag(.list, "List the steps, latest first")],
    action: .run(isUndoable: false) { try $0.undo() })

  static let redo = Command(
    "redo", summary: "Redo the last undone change",
    examples: [Example("fencepost undo; fencepost redo", "Undo and redo")],
    action: .run(isUndoable: false) { try $0.redo() })
}
