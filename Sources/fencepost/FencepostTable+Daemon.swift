import CommandLineTable
import FencepostDaemon

extension FencepostTable {
  /// The commands that run the daemon and ask it.
  static let daemonCommands: [Command] = [
    daemon, config, status, alarms, pause, resume, reload, history, forget,
  ]

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
      `nmea:///dev/ttyUSB0?baud=9600` for a receiver, `gpsd://HOST:2947`, or `geoclue` for where this machine is.
      """,
      """
      `http://ADDRESS:PORT[/PATH]` listens for phones: OwnTracks in HTTP mode, Overland, Traccar Client and OsmAnd. On \
      anything but loopback it asks for a secret: `http://USER:PASSWORD@0.0.0.0:8085`, or `?token=SECRET`, which phones \
      send as `?token=` or as a bearer token. It does not encrypt; put a proxy in front of it on a network that others \
      use.
      """,
      """
      `mqtt://[USER:PASSWORD@]HOST/TOPIC` and `mqtts://`, encrypted, subscribe to a broker; the topic is \
      `owntracks/+/+` where none is said, and its last two levels are the device. `?cafile=PATH` names the certificate \
      of an authority of your own. What comes while the daemon is away waits at the broker.
      """,
      """
      A channel is `-` (standard output, a JSON line for each alarm), `exec:/PATH` (a program that is started for \
      each alarm and reads it as JSON from its standard input), `desktop` (a notification with Done and Snooze), \
      `https://HOST/PATH` (a server that the JSON is posted to), `mqtts://HOST/TOPIC` (a broker that it is published to) \
      or `mailto:ADDRESS` (a message, by sendmail(8)). A channel that fails keeps its alarms until it takes them, and \
      delays no other.
      """,
      """
      After a `?` stands more of a channel, words with `&` between them. `list=NAME` and `kind=KIND` (enter, leave, \
      dwell, absolute, relative), each as often as is wanted, limit any channel. `desktop` takes `snooze=SPAN` and \
      `urgency=low|normal|critical`; `mailto:` takes `from=ADDRESS` and `sendmail=/PATH`; a server's address takes \
      `secret-file=/PATH`, `secret-env=NAME` or `secret=TEXT`, by which what is posted is signed, and hands on what else \
      it says. A broker's takes `cafile=PATH` and `format=json`, `owntracks` (transitions below the topic) or \
      `homeassistant` (events, which Home Assistant finds by itself).
      """,
      """
      What is not said here is taken from the environment, and from the file of settings: see `config`. `--feed` and \
      `--deliver` each take the place of all that the file says of feeds, or of channels.
      """,
      """
      SIGTERM and SIGINT end it after delivering what is at hand. SIGHUP, as `reload`, lets it read the settings and \
      the store anew; feeds and channels that stay the same go on undisturbed.
      """,
    ],
    examples: [
      Example(
        "fencepost daemon --feed gpsd://localhost:2947 --deliver exec:/usr/local/bin/ring", "A receiver"),
      Example(
        "fencepost daemon --feed tail:/srv/phone.csv --deliver 'desktop?list=Errands&list=Home'",
        "Some lists on the desktop"),
      Example(
        "fencepost daemon --feed - --deliver 'https://example.org/hook?secret-file=/etc/fencepost/secret'",
        "A server, told what is signed"),
      Example(
        "fencepost daemon --feed 'mqtts://ann:PASSWORD@example.org' --deliver 'mqtt://localhost?format=homeassistant'",
        "OwnTracks in, Home Assistant out"),
      Example("fencepost daemon --install", "Run it at each log-in, with what the file of settings says"),
    ],
    options: daemonSettings + [
      .flag(
        "install", category: "Service",
        "Write a unit by which systemd runs the daemon for this user, with the options given here"),
      .flag("uninstall", category: "Service", "Remove that unit"),
      .flag("print", category: "Service", "With `--install`, print the unit instead"),
      .value("program", "PATH", completion: .file(), hidden: true, "The program that the unit runs"),
    ])

  /// The settings of the daemon.
  private static let daemonSettings: [Option] =
    [
      .value("feed", "URI", repeatable: true, "Where positions come from"),
      .value("deliver", "URI", repeatable: true, "Where alarms go"),
      configFile,
      socket,
      .value(
        "grace", "SPAN", default: "1m", environment: "FENCEPOST_GRACE",
        "How long after its time an alarm is not late yet"),
      .value(
        "late-positions", "SPAN", default: "7d", environment: "FENCEPOST_LATE_POSITIONS",
        "How old a crossing may be that late positions tell of"),
      .value(
        "history", "DAYS", default: "0", environment: "FENCEPOST_HISTORY",
        "Keep the positions of so many days, and not only each device's last"),
      .value(
        "log-level", "NAME", completion: .choices(Log.Level.allNames), default: "info",
        environment: "FENCEPOST_LOG_LEVEL", "How much to say on standard error"),
    ] + policy

  private static let configFile = Option.value(
    "config", "FILE", completion: .file(extensions: ["json"]),
    default: "$XDG_CONFIG_HOME/fencepost/config.json", environment: "FENCEPOST_CONFIG",
    "Read the settings from this file")

  private static let config = Command(
    "config", summary: "Print the settings that hold, and where each comes from",
    discussion: [
      """
      Options come before the environment, the environment before the file. The file is JSON, in which comments may \
      stand; its keys are those that this command prints. `store`, `zone` and the policy hold for every command, the \
      others for the daemon. Secrets are not printed.
      """,
      """
      `feeds` and `channels` are lists. A member is an address, as `--feed` and `--deliver` take it, or an object: its \
      `address`; `password-file`, a file whose first line is the password of the address's user; and what may stand \
      after the address's `?`, each as a key of its own, a list where it may be said more than once.
      """,
      """
      `geocoder` is the address of a server with the API of Nominatim. Apps that look for a place by name ask it for \
      what the store does not know; without it, nothing is asked over a network.
      """,
    ],
    examples: [Example("fencepost config --check", "Whether the file of settings can be understood")],
    options: [.flag("check", "Print nothing but what is wrong, and fail where something is")] + daemonSettings
  )

  private static let socket = Option.value(
    "socket", "PATH", completion: .file(), default: "the store's path and `.socket`",
    "Where the daemon is asked how it is doing")

  private static let status = Command(
    "status", summary: "Show what the daemon does, where devices are and what comes next",
    discussion: ["Without a daemon, what the store knows is shown."],
    examples: [Example("fencepost status", "Whether all is well")], options: [socket])

  private static let firing = Positional(
    "id", .oneOrMore,
    "An item, by as much of its identifier as is unique, for its last alarm; or an alarm's `id`",
    completion: .program("firings"))

  private static let alarms = Command(
    "alarms", summary: "Show alarms to come and alarms that went off, and answer them",
    subcommands: [
      Command(
        "next", summary: "Show the alarms that come next",
        examples: [Example("fencepost alarms next --limit 5", "The next five")],
        options: [.value("limit", "N", default: "20", "How many at most")]),
      Command(
        "log", summary: "Show the alarms that went off",
        examples: [Example("fencepost alarms log --limit 5", "The last five")],
        options: [.value("limit", "N", default: "20", "How many at most, the latest")]),
      Command(
        "ack", summary: "Say that an alarm was seen",
        discussion: ["The alarm is marked as acknowledged (RFC 9074), for other programs too."],
        examples: [Example("fencepost alarms ack 1FFC", "The last alarm of a reminder")],
        positionals: [firing]),
      Command(
        "snooze", summary: "Let an alarm go off again later",
        examples: [Example("fencepost alarms snooze 1FFC --for 1h", "In an hour")],
        options: [.value("for", "SPAN", default: "10m", "How much later")], positionals: [firing]),
      Command(
        "test", summary: "Send a test alarm to each channel",
        discussion: [
          """
          Tells whether channels work: the daemon's, or those said here. What arrives says that it is a test; it is in no log, \
          and needs no daemon.
          """
        ],
        examples: [Example("fencepost alarms test --deliver desktop", "Whether notifications appear")],
        options: [.value("deliver", "URI", repeatable: true, "Where the test goes"), configFile]),
    ])

  private static let pause = Command(
    "pause", summary: "Deliver no alarms for now",
    discussion: ["Alarms go off and are kept; `resume` delivers them. A pause outlasts the daemon."],
    examples: [Example("fencepost pause", "For as long as a meeting takes")], options: [socket])

  private static let resume = Command(
    "resume", summary: "Deliver alarms again",
    examples: [Example("fencepost resume", "With what went off meanwhile")], options: [socket])

  private static let reload = Command(
    "reload", summary: "Let the daemon read settings and store anew",
    examples: [Example("fencepost reload", "After the file of settings was changed")], options: [socket])

  private static let history = Command(
    "history", summary: "Show where devices were, as far as that was kept",
    discussion: ["Only with `daemon --history DAYS` are positions kept, besides each device's last one."],
    examples: [
      Example("fencepost history --device phone --from yesterday --gpx", "A track for other programs")
    ],
    options: [
      .value("device", "NAME", completion: .program("devices"), "Only this device"),
      .value("from", "WHEN", "Only from then on"),
      .value("to", "WHEN", "Only before then"),
      .flag("gpx", "Write them as GPX, a track for each device"),
    ])

  private static let forget = Command(
    "forget", summary: "Erase where devices were",
    discussion: [
      """
      All positions of each device are erased, and what is known of it and the places; what is erased is overwritten. What \
      went off stays in the log, with where that was, unless `--log` says otherwise.
      """
    ],
    examples: [Example("fencepost forget --log --yes", "All devices, and the log, without being asked")],
    options: [
      .value("device", "NAME", completion: .program("devices"), "Only this device"),
      .flag("log", "Erase the log of the alarms that went off, too"),
      .flag("yes", short: "y", "Don't ask"),
    ])
}
