import CommandLineTable

extension FencepostTable {
  private static let app = Positional(
    "app", .required, "The app's bundle identifier, or the name of its program",
    completion: .program("apps"))
  private static let events = Option.flag("events", "Events only")
  private static let reminders = Option.flag("reminders", "Reminders only")

  static let access = Command(
    "access", summary: "Show and decide which apps may use the store",
    discussion: [
      """
      Apps that use the EventKit library ask before they read or write. What is decided is kept in the store, for \
      each app, and for events and reminders apart. This keeps honest programs to what they were given; it does not \
      protect the file: a program that may read the file can read all of it.
      """
    ],
    subcommands: [
      Command(
        "list", summary: "Show the apps that asked, and what they may do",
        examples: [Example("fencepost access list", "All of them")]),
      Command(
        "grant", summary: "Let an app in",
        examples: [
          Example("fencepost access grant org.example.planner --events", "It may read and change events"),
          Example("fencepost access grant notes --write-only", "It may add events, and read none"),
        ],
        options: [events, reminders, .flag("write-only", "Let it add events, and read none")],
        positionals: [app]),
      Command(
        "revoke", summary: "Keep an app out",
        examples: [
          Example("fencepost access revoke notes", "It may read and change nothing any more"),
          Example("fencepost access revoke notes --forget", "It has to ask again"),
        ],
        options: [events, reminders, .flag("forget", "Forget what was decided, so that it asks again")],
        positionals: [app]),
      Command(
        "policy", summary: "Show or set what becomes of a first request",
        discussion: [
          """
          `open` grants it. `ask` lets it wait for `fencepost access grant` or `revoke`; an app that does not say why \
          it asks, in its Info.plist, is refused. `closed` refuses it.
          """
        ],
        examples: [
          Example("fencepost access policy", "What it is"),
          Example("fencepost access policy ask", "Nothing is granted unless somebody grants it"),
        ],
        positionals: [
          Positional(
            "policy", .optional, "`open`, `ask` or `closed`", completion: .choices(["open", "ask", "closed"]))
        ]),
    ])
}
