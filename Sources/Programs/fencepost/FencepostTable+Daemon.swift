import FencepostCommandLineTable
import FencepostDaemon
import FencepostDaemonControl

extension FencepostTable {
  /// The commands that run and control the daemon.
  static let daemonCommands: [Command] = [
    daemon, config, status, alarms, pause, resume, reload, history, forget,
  ]

  private static let daemon = Command(
    "daemon", summary: "Run alarms: watch positions and the clock",
    discussion: [
      """
      Runs until stopped. It reads positions from feeds and delivers alarms to channels; you can use several of each, \
      and it retries after failures. Each alarm goes off once, also across restarts. Alarms missed while the daemon \
      was down go off late; missed occurrences of one item go off as one.
      """,
      """
      A feed is `-` (standard input), a file or a named pipe, `tail:PATH` for a growing file, \
      `nmea:///dev/ttyUSB0?baud=9600` for a receiver, `gpsd://HOST:2947`, or `geoclue` for the location of this \
      machine. `maildir:PATH` and `imaps://USER@HOST/FOLDER` find bookings in mails: see `suggestions`.
      """,
      """
      `http://ADDRESS:PORT[/PATH]` listens for phones: OwnTracks in HTTP mode, Overland, Traccar Client and OsmAnd. \
      Except on loopback it needs a secret: `http://USER:PASSWORD@0.0.0.0:8085`, or `?token=SECRET`, which phones send \
      as `?token=` or as a bearer token. The connection is not encrypted; use a proxy with TLS on a shared network.
      """,
      """
      `mqtt://[USER:PASSWORD@]HOST/TOPIC` and `mqtts://`, encrypted, subscribe to a broker; the default topic is \
      `owntracks/+/+`, and its last two levels name the device. `?cafile=PATH` sets the certificate of your own \
      authority. The broker keeps messages while the daemon is down.
      """,
      """
      A channel is `-` (standard output, a JSON line for each alarm), `exec:/PATH` (a program to run for each alarm, \
      with JSON on its standard input), `desktop` (a notification with Done and Snooze), `webpush` (a notification in \
      each browser that asked for alarms in the web app, also when it is closed), `https://HOST/PATH` (JSON by POST), `mqtts://HOST/TOPIC` (published to a broker) or `mailto:ADDRESS` (mail by sendmail(8)). The alarms of a \
      failed channel wait for it and do not delay other channels.
      """,
      """
      A channel takes parameters after `?`, separated by `&`. `list=NAME` and `kind=KIND` (enter, leave, dwell, \
      absolute, relative) limit any channel and may be repeated; `kind=suggestion` tells new suggestions. `desktop` takes `snooze=SPAN` and \
      `urgency=low|normal|critical`; `webpush` takes `contact=mailto:ADDRESS`, for push services, and `allow-host=HOST`, \
      for one in your own network; `mailto:` takes `from=ADDRESS` and `sendmail=/PATH`; a server takes \
      `secret-file=/PATH`, `secret-env=NAME` or `secret=TEXT` to sign its requests, and receives all other parameters. \
      A broker takes `cafile=PATH` and `format=json`, `owntracks` (transitions below the topic) or `homeassistant` \
      (events with discovery for Home Assistant).
      """,
      """
      `--serve http://127.0.0.1:8787` serves the web app; open it with `fencepost web`. Phones send positions to \
      `/positions` there, each with a password of `fencepost clients add`. Other machines need \
      `https://0.0.0.0:8787?certificate-file=PATH&key-file=PATH&host=NAME`, with each name that browsers use. \
      `tiles-file=PATH` shows streets from an MBTiles file, `tiles=URL&attribution=TEXT` from a tile server, which learns \
      which places you look at. `proxy=true` says that \
      a proxy adds TLS. `public=https://HOST` is the address at which servers of accounts can push changes.
      """,
      """
      Settings that are not given here come from the environment and the settings file: see `config`. `--feed` \
      replaces all feeds of the file, and `--deliver` all channels.
      """,
      """
      On SIGTERM or SIGINT it delivers pending alarms and ends. On SIGHUP, as with `reload`, it reads the settings and \
      the store again; unchanged feeds and channels continue.
      """,
    ],
    examples: [
      Example(
        "fencepost daemon --feed gpsd://localhost:2947 --deliver exec:/usr/local/bin/ring",
        "Use a GPS receiver"),
      Example(
        "fencepost daemon --feed tail:/srv/phone.csv --deliver 'desktop?list=Errands&list=Home'",
        "Show two lists on the desktop"),
      Example(
        "fencepost daemon --feed - --deliver 'https://example.org/hook?secret-file=/etc/fencepost/secret'",
        "Send signed requests to a server"),
      Example(
        "fencepost daemon --feed 'mqtts://ann:PASSWORD@example.org' --deliver 'mqtt://localhost?format=homeassistant'",
        "OwnTracks in, Home Assistant out"),
      Example("fencepost daemon --serve http://127.0.0.1:8787", "Serve the web app on this machine"),
      Example("fencepost daemon --install", "Run it at each login, with the settings file"),
    ],
    options: daemonSettings + [
      .flag(
        .install, category: "Service",
        "Install a systemd user unit that runs the daemon with these options"),
      .flag(.uninstall, category: "Service", "Remove that unit"),
      .flag(.print, category: "Service", "With `--install`, only print the unit"),
      .value(.program, "PATH", completion: .file(), hidden: true, "The program in the unit"),
    ],
    action: .run(isUndoable: false) { try $0.daemon() })

  /// The settings of the daemon.
  static let daemonSettings: [Option] =
    [
      .value(.feed, "URI", repeatable: true, "Read positions from this feed"),
      .value(.deliver, "URI", repeatable: true, "Deliver alarms to this channel"),
      .value(.serve, "URI", "Serve the web app, its API and phones' positions at this address"),
      configFile,
      socket,
      .value(
        .grace, "SPAN", default: "1m", environment: "FENCEPOST_GRACE",
        "Delay after which an alarm counts as late"),
      .value(
        .latePositions, "SPAN", default: "7d", environment: "FENCEPOST_LATE_POSITIONS",
        "Ignore crossings older than this if newer positions came first"),
      .value(
        .history, "DAYS", default: "0", environment: "FENCEPOST_HISTORY",
        "Days to keep positions; 0 keeps only the last of each device"),
      .value(
        .keepLog, "DAYS", default: "365", environment: "FENCEPOST_KEEP_LOG",
        "Days to keep the log of alarms; 0 keeps all of it"),
      .value(
        .logLevel, "NAME", completion: .choices(Log.Level.allNames), default: "info",
        environment: "FENCEPOST_LOG_LEVEL", "Amount of messages on standard error"),
    ] + policy

  private static let configFile = Option.value(
    .config, "FILE", completion: .file(extensions: ["json"]),
    default: "$XDG_CONFIG_HOME/fencepost/config.json", environment: "FENCEPOST_CONFIG",
    "Use this settings file")

  private static let config = Command(
    "config", summary: "Print the settings and the source of each",
    discussion: [
      """
      Options override the environment, which overrides the file. The file is JSON with comments; its keys are those \
      that this command prints. `store`, `zone` and the policy apply to every command, the others to the daemon. \
      Secrets are not printed.
      """,
      """
      `feeds` and `channels` are lists. Each member is an address, as for `--feed` and `--deliver`, or an object with: \
      `address`; `password-file`, a file with the password of the user in its first line; and each parameter of the \
      address as its own key, with a list for repeated ones.
      """,
      """
      `geocoder` is the address of a server with the API of Nominatim. Apps use it to find places that the store does \
      not know. Without it, they make no network request.
      """,
    ],
    examples: [Example("fencepost config --check", "Check the settings file")],
    options: [.flag(.check, "Print only errors, and fail if there are any")] + daemonSettings,
    action: .run { try $0.config() })

  private static let socket = Option.value(
    .socket, "PATH", completion: .file(), default: "the store's path and `.socket`",
    "Control socket of the daemon")

  private static let status = Command(
    "status", summary: "Show the daemon, the devices and the next alarms",
    discussion: ["Works without a daemon, with the data in the store."],
    examples: [Example("fencepost status", "Show the status")], options: [socket],
    action: .run(isUndoable: false) { try $0.status() })

  private static let firing = Positional(
    .id, .oneOrMore,
    "Identifier of an item, or a unique prefix, for its last alarm; or the `id` of an alarm",
    completion: .program("firings"))

  private static let alarms = Command(
    "alarms", summary: "View, acknowledge and snooze alarms",
    subcommands: [
      Command(
        "next", summary: "Show the next alarms",
        examples: [Example("fencepost alarms next --limit 5", "The next five")],
        options: [.value(.limit, "N", default: "20", "Maximum number")],
        action: .run(isUndoable: false) { try $0.nextAlarms() }),
      Command(
        "log", summary: "Show past alarms",
        examples: [Example("fencepost alarms log --limit 5", "The last five")],
        options: [.value(.limit, "N", default: "20", "Maximum number; keeps the latest")],
        action: .run { try $0.alarmLog() }),
      Command(
        "ack", summary: "Acknowledge an alarm",
        discussion: ["Other programs see this too (RFC 9074)."],
        examples: [Example("fencepost alarms ack 1FFC", "Acknowledge the last alarm of a reminder")],
        positionals: [firing],
        action: .run { try $0.acknowledgeAlarms() }),
      Command(
        "snooze", summary: "Snooze an alarm",
        examples: [Example("fencepost alarms snooze 1FFC --for 1h", "Snooze for an hour")],
        options: [.value(.for, "SPAN", default: "10m", "Snooze time")], positionals: [firing],
        action: .run { try $0.snoozeAlarms() }),
      Command(
        "test", summary: "Send a test alarm to each channel",
        discussion: [
          """
          Tests the channels of the settings, or those given here. The message says that it is a test. It is not \
          logged, and no daemon needs to run.
          """
        ],
        examples: [Example("fencepost alarms test --deliver desktop", "Test desktop notifications")],
        options: [.value(.deliver, "URI", repeatable: true, "Send the test to this channel"), configFile],
        action: .run { try $0.testAlarm() }),
    ])

  private static let pause = Command(
    "pause", summary: "Pause delivery of alarms",
    discussion: [
      "Alarms still go off and are held until `resume`. The pause survives a restart of the daemon."
    ],
    examples: [Example("fencepost pause", "Pause during a meeting")], options: [socket],
    action: .run { try $0.askDaemon(.pause) })

  private static let resume = Command(
    "resume", summary: "Resume delivery of alarms",
    examples: [Example("fencepost resume", "Deliver the held alarms")], options: [socket],
    action: .run { try $0.askDaemon(.resume) })

  private static let reload = Command(
    "reload", summary: "Reload the daemon's settings and store",
    examples: [Example("fencepost reload", "After a change of the settings file")], options: [socket],
    action: .run { try $0.askDaemon(.reload) })

  private static let history = Command(
    "history", summary: "Show past positions of devices",
    discussion: ["The daemon keeps past positions only with `--history DAYS`."],
    examples: [
      Example("fencepost history --device phone --from yesterday --gpx", "Export a track")
    ],
    options: [
      .value(.device, "NAME", completion: .program("devices"), "Only this device"),
      .value(.from, "WHEN", "Only from then on"),
      .value(.to, "WHEN", "Only before then"),
      .flag(.gpx, "Print GPX, with a track for each device"),
    ],
    action: .run { try $0.history() })

  private static let forget = Command(
    "forget", summary: "Erase positions of devices",
    discussion: [
      """
      Erases all positions of each device and its state at places, and overwrites the data on disk. The log keeps past \
      alarms with their positions, unless `--log` is given.
      """
    ],
    examples: [Example("fencepost forget --log --yes", "All devices and the log, without confirmation")],
    options: [
      .value(.device, "NAME", completion: .program("devices"), "Only this device"),
      .flag(.log, "Erase the log of past alarms too"),
      .flag(.yes, short: "y", "Don't ask for confirmation"),
    ],
    action: .run(isUndoable: false) { try $0.forget() })
}
