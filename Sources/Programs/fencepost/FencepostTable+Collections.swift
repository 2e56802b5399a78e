import FencepostCommandLineTable

extension FencepostTable {
  private static let yes = Option.flag(.yes, short: "y", "Don't ask for confirmation")

  private static func name(_ summary: String, completion: String) -> Positional {
    Positional(.name, .required, summary, completion: .program(completion))
  }

  private static let newName = Positional(.new, .required, "The new name", metavariable: "NEW-NAME")

  static let lists = Command(
    "lists", aliases: ["calendars"], summary: "View and change lists and calendars",
    discussion: ["A calendar is a list for events."],
    examples: [Example("fencepost lists", "All lists, with item counts")],
    subcommands: [
      Command(
        "add", summary: "Add a list, or a calendar",
        examples: [
          Example("fencepost lists add Garden --list-color green", "A green list"),
          Example("fencepost lists add Concerts --events", "A calendar"),
        ],
        options: [
          .flag(.events, "Add a calendar for events"),
          .value(.listColor, "COLOR", "Colour: `red`, `blue`, `#3584E4`"),
          .value(.source, "NAME", completion: .program("sources"), "Add to this source"),
        ],
        positionals: [Positional(.name, .required, "Name")],
        action: .run { try $0.addList() }),
      Command(
        "rename", summary: "Rename a list",
        examples: [Example("fencepost lists rename Errands Town", "Rename to Town")],
        positionals: [name("The list", completion: "lists"), newName],
        action: .run { try $0.renameList() }),
      Command(
        "color", aliases: ["colour"], summary: "Change the colour of a list",
        examples: [Example("fencepost lists color Errands orange", "An orange list")],
        positionals: [
          name("The list", completion: "lists"),
          Positional(.color, .required, "`red`, `blue`, `#3584E4`, or `none`"),
        ],
        action: .run { try $0.colorList() }),
      Command(
        "edit", summary: "Set when the reminders of a list go off",
        discussion: [
          """
          A reminder that came without an alarm, from a file, a server or an app, uses the default alarm. The reminder \
          itself does not change. Only the given options change.
          """
        ],
        examples: [
          Example(
            "fencepost lists edit Errands --default-alarm -15m", "15 minutes before the due time"),
          Example("fencepost lists edit Errands --no-ring-when-due", "No alarm unless the reminder has one"),
        ],
        options: [
          .value(
            .defaultAlarm, "WHEN",
            "Default alarm: `0m`, `-15m`, `none`, or `inherit` from the settings"),
          .value(
            .allDayHour, "HOUR",
            "Time for reminders due on a day: `9:00`, or `inherit`"),
          .flag(.ringWhenDue, negatable: true, "Use the default alarm for reminders without one"),
        ],
        positionals: [name("The list", completion: "lists")],
        action: .run { try $0.editList() }),
      Command(
        "default", summary: "Set the default list for new items",
        examples: [Example("fencepost lists default Errands", "Make Errands the default")],
        positionals: [name("The list or calendar", completion: "lists")],
        action: .run { try $0.chooseDefaultList() }),
      Command(
        "remove", aliases: ["rm", "delete"], summary: "Remove a list and all its items",
        examples: [Example("fencepost lists remove Errands --yes", "Without confirmation")],
        options: [yes], positionals: [name("The list", completion: "lists")],
        action: .run { try $0.removeList() }),
    ], runsAlone: true,
    action: .run { try $0.lists() })

  static let sources = Command(
    "sources", summary: "View and change the sources of lists",
    examples: [Example("fencepost sources", "All sources, with their lists")],
    subcommands: [
      Command(
        "add", summary: "Add a source of lists",
        examples: [Example("fencepost sources add Work", "A source for work")],
        positionals: [Positional(.name, .required, "Name")],
        action: .run { try $0.addSource() }),
      Command(
        "rename", summary: "Rename a source",
        examples: [Example("fencepost sources rename Local Home", "Rename to Home")],
        positionals: [name("The source", completion: "sources"), newName],
        action: .run { try $0.renameSource() }),
      Command(
        "remove", aliases: ["rm", "delete"], summary: "Remove a source, its lists and all their items",
        examples: [Example("fencepost sources remove Local --yes", "Without confirmation")],
        options: [yes], positionals: [name("The source", completion: "sources")],
        action: .run { try $0.removeSource() }),
    ], runsAlone: true,
    action: .run { try $0.sources() })

  static let places = Command(
    "places", summary: "View and change named places",
    discussion: ["Commands that take a place accept its name, ignoring case."],
    examples: [Example("fencepost places", "All of them")],
    subcommands: [
      Command(
        "add", summary: "Add a named place",
        examples: [
          Example("fencepost places add Gym 52.4012,13.0512 --radius 150", "Now `--arrive Gym` works")
        ],
        options: [
          lastDevice,
          .value(.radius, "LENGTH", default: "100m", "Radius"),
          .value(
            .fence, "FILE.geojson", completion: .file(extensions: ["geojson", "json"]),
            "Use the polygons of this file instead of a coordinate"),
        ],
        positionals: [
          Positional(.name, .required, "Name"),
          Positional(
            .where, .optional, "Its centre; the default is the last known position of a device",
            metavariable: "LAT,LON"),
        ],
        action: .run { try $0.addPlace() }),
      Command(
        "move", summary: "Move a place or change its radius, with its alarms",
        examples: [Example("fencepost places move Office 52.3921,13.0599", "Move the office")],
        options: [.value(.radius, "LENGTH", "Radius")],
        positionals: [
          name("The place", completion: "places"),
          Positional(.where, .optional, "New centre", metavariable: "LAT,LON"),
        ],
        action: .run { try $0.movePlace() }),
      Command(
        "rename", summary: "Rename a place, with its alarms",
        examples: [Example("fencepost places rename Office Work", "Rename to Work")],
        positionals: [name("The place", completion: "places"), newName],
        action: .run { try $0.renamePlace() }),
      Command(
        "remove", aliases: ["rm", "delete"],
        summary: "Remove a named place; its alarms keep their coordinates",
        examples: [Example("fencepost places remove Office --yes", "Without confirmation")],
        options: [yes], positionals: [name("The place", completion: "places")],
        action: .run { try $0.removePlace() }),
    ], runsAlone: true,
    action: .run { try $0.places() })
}
