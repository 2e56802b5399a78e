import CommandLineTable

extension FencepostTable {
  // MARK: Options of an item

  private static let place: [Option] = [
    .value(
      "arrive", "PLACE", completion: .program("places"), category: "Place",
      "Go off on arriving here: `LAT,LON`, or a name of `fencepost places`"),
    .value("leave", "PLACE", completion: .program("places"), category: "Place", "Go off on leaving here"),
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
    .flag(
      "if-inside", negatable: true, category: "Place", "Go off at once where a device is inside already"),
    .flag(
      "passing", negatable: true, category: "Place", "Also go off when a device only passes by"),
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
      "device", "NAME", repeatable: true, completion: .program("devices"), category: "Place",
      "Listen to this device only, at the place"),
  ]

  private static let common: [Option] = [
    .value(
      "alarm", "WHEN", short: "a", repeatable: true, category: "Time",
      "Go off at a date, or before the due time: `-15m`, `-1d`, `tomorrow 9am`"),
    .value(
      "repeat", "RULE", short: "r", category: "Time",
      "Repeat: `daily`, `every 2 weeks`, `monthly on the last friday` or an RRULE"),
    .flag("all-day", category: "Time", "Take whole days, whatever time of day is said"),
    .value("location", "TEXT", category: "Place", "Where, in words"),
    .value("notes", "TEXT", short: "n", "Say more about it"),
    .value("url", "URL", "Point to something"),
    .value("priority", "LEVEL", short: "p", "`high`, `medium`, `low`, `none`, or 1 (the highest) to 9"),
    .value("tag", "NAME", short: "t", repeatable: true, "Give it a tag"),
  ]

  private static let due = Option.value(
    "due", "WHEN", short: "d", category: "Time",
    "When it is due: `2026-05-01`, `tomorrow 9am`, `in two hours`, `first monday of june`")

  private static let parent = Option.value(
    "parent", "ID", completion: .program("reminders"), "Make it a subtask of this reminder")

  static let add = Command(
    "add", summary: "Add reminders, or an event",
    discussion: [
      """
      Without `reminder` or `event` each `TITLE` is a reminder in one line: when it is due and how it repeats at its end or \
      beginning, and anywhere in it `#tag`, `!high` (`!medium`, `!low`, `!1` to `!9`) and `@Place`, the name of a place to \
      go off at, or `@here`. Names with spaces stand in double quotes: `@"Main Office"`. What is to stay a word follows a \
      backslash. Options are those of `add reminder`, which takes titles as they stand. `-` is standard input, a title a \
      line.
      """
    ],
    examples: [
      Example(
        "fencepost add 'Buy milk tomorrow 9am #shopping !high @Office'",
        "Due tomorrow at 9, tagged, urgent, and told of at the office too"),
      Example("fencepost add 'Water the plants every monday' 'Call Anna friday 18:00'", "Two at once"),
      Example("fencepost add --list Groceries - < groceries.txt", "A line of the file each"),
    ],
    subcommands: [
      Command(
        "reminder", summary: "Add reminders",
        discussion: ["Titles are taken as they stand. `-` is standard input, a title a line."],
        examples: [
          Example(
            "fencepost add reminder 'Buy bread' --arrive 52.3990,13.0640 --radius 80 --place-name Bakery",
            "Goes off at the bakery"),
          Example(
            "fencepost add reminder 'Take medicine' --due '2026-05-01 08:00' --alarm 0m --repeat daily",
            "Goes off every morning"),
          Example(
            "fencepost add reminder 'Ask for the keys' --arrive Office --between 08:00-10:00 --list Errands",
            "Goes off at a place that was given a name"),
          Example("fencepost add reminder Rolls Rye --parent 1FFC", "Two subtasks"),
        ],
        options: [
          .value(
            "list", "NAME", short: "l", aliases: ["calendar"], completion: .program("lists"),
            "Put it in this list, made if need be"),
          due, parent,
          .value("start", "WHEN", short: "s", category: "Time", "When to begin with it"),
          .flag(
            "no-alarm", category: "Time",
            "Let it stay silent; else it goes off when it is due, at 9:00 where that is a day"),
        ] + common + place,
        positionals: [Positional("title", .oneOrMore, "What to be reminded of")]),
      Command(
        "event", summary: "Add an event",
        examples: [
          Example(
            "fencepost add event 'Choir' --start 'thursday 19:00' --duration 2h --alarm -30m --repeat weekly",
            "Every Thursday, announced half an hour before"),
          Example(
            "fencepost add event 'Holidays' --start 2026-07-20 --end 2026-08-02",
            "Whole days, the last one too"),
        ],
        options: [
          .value(
            "calendar", "NAME", short: "c", aliases: ["list"], completion: .program("calendars"),
            "Put it in this calendar, made if need be"),
          .value("start", "WHEN", short: "s", required: true, category: "Time", "When it starts"),
          .value("end", "WHEN", short: "e", category: "Time", "When it ends"),
          .value("duration", "SPAN", default: "1h", category: "Time", "How long it takes, such as `90m`"),
        ] + common + place,
        positionals: [Positional("title", .required, "What it is")]),
    ], fallback: "reminder")

  // MARK: Changing items

  private static let item = Positional(
    "id", .required, "An item's identifier, as much of its beginning as is unique, or words of its title",
    completion: .program("items"))
  static let items = Positional(
    "id", .oneOrMore, "An item's identifier, as much of its beginning as is unique, or words of its title",
    completion: .program("items"))

  private static let reminders = Positional(
    "id", .oneOrMore, "A reminder's identifier, as much of its beginning as is unique, or words of its title",
    completion: .program("reminders"))

  private static let span: [Option] = [
    .value(
      "span", "SPAN", completion: .choices(["this", "future", "all"]), category: "Recurring items",
      "One occurrence, it and all later ones, or all; `this` where an occurrence is named, else `all`"),
    .value(
      "occurrence", "WHEN", category: "Recurring items",
      "The occurrence at this time, or on this day; the next one where none is named"),
  ]

  private static func without(_ name: String, _ summary: String) -> Option {
    .flag("no-\(name)", category: "Taking away", summary)
  }

  static let edit = Command(
    "edit", summary: "Change an item",
    discussion: [
      """
      What is said changes, and all else stays. `--alarm`, `--arrive`, `--leave`, `--fence` and `--tag` add to what \
      there is; `--radius`, `--between` and the like without a place change the alarms at places that the item has. \
      A time of day alone keeps the day. An event that is moved takes as long as before.
      """
    ],
    examples: [
      Example("fencepost edit 1FFC --due 'friday 18:00' --priority 1", "Later, and urgent"),
      Example("fencepost edit 1FFC --no-due --no-alarms --arrive Office", "At a place instead of at a time"),
      Example(
        "fencepost edit C401 --occurrence 2026-05-14 --start 20:00 --location 'Town hall'",
        "One rehearsal is later"),
      Example("fencepost edit C401 --span future --start 19:30", "From the next one on"),
    ],
    options: [
      .value("title", "TEXT", "Call it this"),
      .value(
        "list", "NAME", aliases: ["calendar"], completion: .program("lists"),
        "Move it to this list, made if need be"),
      due,
      parent,
      .value("start", "WHEN", short: "s", category: "Time", "When it starts"),
      .value("end", "WHEN", short: "e", category: "Time", "When an event ends"),
      .value("duration", "SPAN", category: "Time", "How long an event takes, such as `90m`"),
    ] + common + place + span + [
      without("parent", "Let it be no subtask"), without("notes", "Take its notes away"),
      without("url", "Take its URL away"),
      without("location", "Take its location away"), without("priority", "Take its priority away"),
      without("due", "Let a reminder be due at no time"), without("start", "Let a reminder start at no time"),
      without("repeat", "Let it take place once"), without("tags", "Take all tags away"),
      .value("remove-tag", "NAME", repeatable: true, category: "Taking away", "Take a tag away"),
      without("alarms", "Take all alarms away, and let it stay silent"),
      without("place", "Take all alarms at places away"),
      .value(
        "remove-alarm", "N", repeatable: true, category: "Taking away",
        "Take an alarm away: its number in `fencepost show`, or its identifier"),
      .flag("anytime", category: "Taking away", "Let alarms at places go off at any time"),
    ],
    positionals: [item])

  static let complete = Command(
    "complete", aliases: ["done"], summary: "Tick reminders off",
    discussion: [
      "A recurring reminder rolls on to its next occurrence. Subtasks that are still open are counted, and stay so."
    ],
    examples: [
      Example("fencepost complete 1FFC 4505", "Two at once"),
      Example("fencepost complete --undo F209", "It was not done after all"),
    ],
    options: [.flag("undo", "Mark them as not done")],
    positionals: [reminders])

  static let remove = Command(
    "remove", aliases: ["rm", "delete"], summary: "Remove items, or occurrences",
    examples: [
      Example("fencepost remove 1FFC --yes", "Without being asked"),
      Example("fencepost remove C401 --occurrence 2026-05-14 --yes", "One rehearsal is cancelled"),
      Example("fencepost remove C401 --span future --yes", "No rehearsals from the next one on"),
      Example("fencepost remove --completed --list Errands --yes", "All errands that are done"),
    ],
    options: span + [
      .flag("completed", "Remove all reminders that are done"),
      .value(
        "list", "NAME", short: "l", aliases: ["calendar"], repeatable: true, completion: .program("lists"),
        "With `--completed`, only those of this list"),
      .flag("yes", short: "y", "Don't ask"),
    ],
    positionals: [
      Positional(
        "id", .zeroOrMore,
        "An item's identifier, as much of its beginning as is unique, or words of its title",
        completion: .program("items"))
    ])

  static let move = Command(
    "move", summary: "Move items to another list or calendar",
    discussion: ["Subtasks go with what they are a part of."],
    examples: [Example("fencepost move 1FFC 4505 --list Home", "Two reminders to one list")],
    options: [
      .value(
        "list", "NAME", short: "l", aliases: ["calendar"], required: true, completion: .program("lists"),
        "The list, made if need be")
    ],
    positionals: [items])

  static let undo = Command(
    "undo", summary: "Undo what the last command changed",
    discussion: [
      """
      Each command that changes something is one step, an import too; undoing goes back step by step. What an app or \
      the daemon has changed since is never undone with it: then it says so and changes nothing. The last hundred \
      steps are kept.
      """
    ],
    examples: [
      Example("fencepost undo", "Back to before the last command"),
      Example("fencepost undo --list", "What can be undone, the last first"),
    ],
    options: [.flag("list", "List what can be undone, the last first, instead")])

  static let redo = Command(
    "redo", summary: "Do again what was undone last",
    examples: [Example("fencepost undo; fencepost redo", "There and back")])
}
