import CommandLineTable

extension FencepostTable {
  /// The commands that run the daemon and ask it.
  static let daemonCommands: [Command] = [daemon, status, alarms, pause, resume, reload, forget]

  private static let daemon = Command(
    "daemon", summary: "Watch positions and the clock, and let alarms go off",
    discussion: [
      """
      Runs until it is ended. Positions come from feeds, alarms go to channels, several of each; what fails is \
      tried again. An alarm goes off once, whatever happens in between: what was missed while nothing ran goes off \
      late, and the missed occurrences of one item as one.
      """,
      """
      A feed is `-` (standard input), a file or a named pipe, `tail:PATH` for a file that grows, \
      `nmea:///dev/ttyUSB0?baud=9600` for a receiver or `gpsd://HOST:2947`.
      """,
      """
      A channel is `-` (standard output, a JSON line for each alarm) or `exec:/PATH`, a program that is started for \
      each alarm and reads it as JSON from its standard input.
      """,
      "SIGTERM ends it after delivering what is at hand; SIGHUP reads the store anew.",
    ],
    examples: [
      Example(
        "fencepost daemon --feed gpsd://localhost:2947 --deliver exec:/usr/local/bin/ring", "A receiver")
    ],
    options: [
      .value("feed", "URI", repeatable: true, "Where positions come from"),
      .value("deliver", "URI", repeatable: true, "Where alarms go"),
      socket,
      .value(
        "grace", "SPAN", default: "1m", "How long after its time an alarm is not late yet"),
      .value(
        "policy", "NAME", completion: .choices(["robust", "exact"]), default: "robust",
        "Decide enter and leave as a person would, or to the letter of each fix"),
      .value(
        "log-level", "NAME", completion: .choices(["error", "warning", "notice", "info", "debug"]),
        default: "info", "How much to say on standard error"),
    ])

  private static let socket = Option.value(
    "socket", "PATH", completion: .file(), default: "the store's path and `.socket`",
    "Where the daemon is asked how it is doing")

  private static let status = Command(
    "status", summary: "Show what the daemon does, where devices are and what comes next",
    discussion: ["Without a daemon, what the store knows is shown."], options: [socket])

  private static let firing = Positional(
    "id", .oneOrMore,
    "An item, by as much of its identifier as is unique, for its last alarm; or an alarm's `id`")

  private static let alarms = Command(
    "alarms", summary: "Show alarms to come and alarms that went off, and answer them",
    subcommands: [
      Command(
        "next", summary: "Show the alarms that come next",
        options: [.value("limit", "N", default: "20", "How many at most")]),
      Command(
        "log", summary: "Show the alarms that went off",
        options: [.value("limit", "N", default: "20", "How many at most, the latest")]),
      Command(
        "ack", summary: "Say that an alarm was seen",
        discussion: ["The alarm is marked as acknowledged (RFC 9074), for other programs too."],
        positionals: [firing]),
      Command(
        "snooze", summary: "Let an alarm go off again later",
        options: [.value("for", "SPAN", default: "10m", "How much later")], positionals: [firing]),
    ])

  private static let pause = Command(
    "pause", summary: "Deliver no alarms for now",
    discussion: ["Alarms go off and are kept; `resume` delivers them. A pause outlasts the daemon."],
    options: [socket])

  private static let resume = Command("resume", summary: "Deliver alarms again", options: [socket])

  private static let reload = Command(
    "reload", summary: "Let the daemon read the store anew", options: [socket])

  private static let forget = Command(
    "forget", summary: "Erase where devices were",
    discussion: [
      "The last position of each device is erased, and what is known of it and the places. What went off stays in the log unless `--log` says otherwise."
    ],
    options: [
      .value("device", "NAME", "Only this device"),
      .flag("log", "Erase the log of the alarms that went off, too"),
      .flag("yes", short: "y", "Don't ask"),
    ])
}
