import CommandLineTable

extension FencepostTable {
  private static let yes = Option.flag("yes", short: "y", "Don't ask")

  private static func name(_ summary: String, completion: String) -> Positional {
    Positional("name", .required, summary, completion: .program(completion))
  }

  private static let newName = Positional("new", .required, "The new name", metavariable: "NEW-NAME")

  static let lists = Command(
    "lists", aliases: ["calendars"], summary: "Show and change the lists and calendars",
    discussion: ["A calendar is a list that holds events."],
    examples: [Example("fencepost lists", "All of them, and how much is in each")],
    subcommands: [
      Command(
        "add", summary: "Add a list, or a calendar",
        examples: [
          Example("fencepost lists add Garden --list-color green", "A green list"),
          Example("fencepost lists add Concerts --events", "A calendar"),
        ],
        options: [
          .flag("events", "Make it a calendar, for events"),
          .value("list-color", "COLOR", "Its colour: `red`, `blue`, `#3584E4`"),
          .value("source", "NAME", completion: .program("sources"), "Put it in this source"),
        ],
        positionals: [Positional("name", .required, "Its name")]),
      Command(
        "rename", summary: "Give a list another name",
        examples: [Example("fencepost lists rename Errands Town", "From now on it is called Town")],
        positionals: [name("The list", completion: "lists"), newName]),
      Command(
        "color", aliases: ["colour"], summary: "Give a list another colour",
        examples: [Example("fencepost lists color Errands orange", "An orange list")],
        positionals: [
          name("The list", completion: "lists"),
          Positional("color", .required, "`red`, `blue`, `#3584E4`, or `none`"),
        ]),
      Command(
        "edit", summary: "Say when the reminders of a list ring",
        discussion: [
          """
          A reminder that came without an alarm, from a file, a server or an app, rings at its due time as if it had \
          the default alarm, and is not changed for it. What these options leave out stays as it is.
          """
        ],
        examples: [
          Example(
            "fencepost lists edit Errands --default-alarm -15m", "A quarter of an hour before they are due"),
          Example("fencepost lists edit Errands --no-ring-when-due", "Silence, unless there is an alarm"),
        ],
        options: [
          .value(
            "default-alarm", "WHEN",
            "The alarm of new reminders: `0m`, `-15m`, `none`, or `inherit` for what the settings say"),
          .value(
            "all-day-hour", "HOUR",
            "When those ring that are due on a day without a time: `9:00`, or `inherit`"),
          .flag("ring-when-due", negatable: true, "Let reminders ring that came without an alarm"),
        ],
        positionals: [name("The list", completion: "lists")]),
      Command(
        "default", summary: "Let new items go into a list",
        examples: [Example("fencepost lists default Errands", "Where nothing else is said")],
        positionals: [name("The list or calendar", completion: "lists")]),
      Command(
        "remove", aliases: ["rm", "delete"], summary: "Remove a list and all that is in it",
        examples: [Example("fencepost lists remove Errands --yes", "Without being asked")],
        options: [yes], positionals: [name("The list", completion: "lists")]),
    ], runsAlone: true)

  static let sources = Command(
    "sources", summary: "Show and change where lists come from",
    examples: [Example("fencepost sources", "All of them, with their lists")],
    subcommands: [
      Command(
        "add", summary: "Add a source of lists",
        examples: [Example("fencepost sources add Work", "Lists for work")],
        positionals: [Positional("name", .required, "Its name")]),
      Command(
        "rename", summary: "Give a source another name",
        examples: [Example("fencepost sources rename Local Home", "From now on it is called Home")],
        positionals: [name("The source", completion: "sources"), newName]),
      Command(
        "remove", aliases: ["rm", "delete"], summary: "Remove a source, its lists and all that is in them",
        examples: [Example("fencepost sources remove Local --yes", "Without being asked")],
        options: [yes], positionals: [name("The source", completion: "sources")]),
    ], runsAlone: true)

  static let places = Command(
    "places", summary: "Show and change the places that have names",
    discussion: ["Wherever a command takes a place, its name will do, in any case."],
    examples: [Example("fencepost places", "All of them")],
    subcommands: [
      Command(
        "add", summary: "Give a place a name",
        examples: [
          Example("fencepost places add Gym 52.4012,13.0512 --radius 150", "Then `--arrive Gym` will do")
        ],
        options: [
          lastDevice,
          .value("radius", "LENGTH", default: "100m", "How far it reaches"),
          .value(
            "fence", "FILE.geojson", completion: .file(extensions: ["geojson", "json"]),
            "Take the polygons of this file instead of a coordinate"),
        ],
        positionals: [
          Positional("name", .required, "Its name"),
          Positional(
            "where", .optional, "Its middle; where a device was last unless said", metavariable: "LAT,LON"),
        ]),
      Command(
        "move", summary: "Move a place, or change how far it reaches, with the alarms there",
        examples: [Example("fencepost places move Office 52.3921,13.0599", "The office has moved")],
        options: [.value("radius", "LENGTH", "How far it reaches")],
        positionals: [
          name("The place", completion: "places"),
          Positional("where", .optional, "Its new middle", metavariable: "LAT,LON"),
        ]),
      Command(
        "rename", summary: "Give a place another name, and the alarms there",
        examples: [Example("fencepost places rename Office Work", "From now on it is called Work")],
        positionals: [name("The place", completion: "places"), newName]),
      Command(
        "remove", aliases: ["rm", "delete"],
        summary: "Forget the name of a place; alarms stay where they are",
        examples: [Example("fencepost places remove Office --yes", "Without being asked")],
        options: [yes], positionals: [name("The place", completion: "places")]),
    ], runsAlone: true)
}
