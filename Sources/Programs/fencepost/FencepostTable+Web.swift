import FencepostCommandLineTable

extension FencepostTable {
  private static let socketOption = Option.value(
    .socket, "PATH", completion: .file(), default: "the store's path and `.socket`",
    "Control socket of the daemon")

  static let web = Command(
    "web", summary: "Open the web app",
    discussion: [
      """
      Prints an address that signs a browser in. It works once, for a minute. On a desktop the browser opens by itself. \
      The daemon must run with `--serve`.
      """
    ],
    examples: [Example("fencepost web", "Open the web app in the browser")],
    options: [socketOption],
    subcommands: [
      Command(
        "password", summary: "Set a password for signing in",
        discussion: [
          """
          Reads it from standard input, without showing it on a terminal. It needs ten characters. All browsers are \
          signed out. Without a password, browsers sign in with the address of `fencepost web`.
          """
        ],
        examples: [Example("fencepost web password --remove", "Allow the one-time address only")],
        options: [.flag(.remove, "Remove the password")],
        action: .run(isUndoable: false) { try $0.webPassword() }),
      Command(
        "sessions", summary: "List the browsers that are signed in, or sign them out",
        examples: [Example("fencepost web sessions", "List them")],
        options: [.flag(.revoke, "Sign all of them out")],
        action: .run(isUndoable: false) { try $0.webSessions() }),
    ], runsAlone: true,
    action: .run(isUndoable: false) { try $0.web() })

  static let phone = Command(
    "phone", summary: "Set up an app on a phone with a QR code",
    discussion: [
      """
      Creates a password for the phone, and shows the settings of the app as a QR code and as text. The app is \
      `owntracks`, `overland`, `traccar` (Traccar Client) or `caldav` (calendars, for apps such as DAVx⁵). The address \
      comes from `server` of the settings; the phone must be able to reach it.
      """
    ],
    examples: [
      Example(
        "fencepost phone owntracks --server https://home.example.org:8787", "OwnTracks, which posts positions"
      ),
      Example(
        "fencepost phone owntracks --broker mqtts://ann:secret@broker.example.org", "OwnTracks with a broker"),
    ],
    options: [
      .value(.deviceName, "NAME", default: "phone", "Name of the phone, for its client and its device"),
      .value(.server, "URL", default: "`server` of the settings", "Address of the server"),
      .value(
        .broker, "URI", "MQTT broker that OwnTracks publishes to, with the phone's user and password there"),
    ],
    positionals: [
      Positional(.app, .required, "App to set up")
    ],
    action: .run(isUndoable: false) { try $0.phone() })

  private static let clientName = Positional(.name, .required, "Name of the program or device")

  static let clients = Command(
    "clients", summary: "Manage passwords for programs and devices",
    discussion: [
      """
      A client is a phone that sends positions, or a program that uses the API. Each has a password, which is printed \
      once; the store keeps a digest of it.
      """
    ],
    subcommands: [
      Command(
        "add", summary: "Add a client and print its password",
        examples: [
          Example("fencepost clients add 'My phone'", "A phone that sends positions"),
          Example("fencepost clients add script --rights read,write", "A program that uses the API"),
          Example("fencepost clients add \"Anna's phone\" --caldav", "A phone's calendars and reminders"),
        ],
        options: [
          .value(
            .rights, "NAMES", default: "positions",
            "Rights, separated by commas: `positions`, `read`, `write`"),
          .flag(
            .caldav,
            "Print how a calendar program signs in; the rights are `read,write` unless you give others"),
          .value(.list, "NAME", repeatable: true, completion: .program("lists"), "Only with this list"),
        ],
        positionals: [clientName],
        action: .run(isUndoable: false) { try $0.addClient() }),
      Command(
        "list", summary: "List clients", examples: [Example("fencepost clients list", "All of them")],
        action: .run(isUndoable: false) { try $0.listClients() }),
      Command(
        "revoke", summary: "Remove a client; its password stops working",
        examples: [Example("fencepost clients revoke 'Old phone'", "After a phone was lost")],
        positionals: [clientName],
        action: .run(isUndoable: false) { try $0.revokeClient() }),
    ])
}
