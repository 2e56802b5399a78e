import CommandLineTable

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

  private static let clientName = Positional(.name, .required, "Name of the program or device")

  static let clients = Command(
    "clients", summary: "Give programs and devices passwords of their own",
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
        ],
        options: [
          .value(
            .rights, "NAMES", default: "positions",
            "What it may do: `positions`, `read` and `write`, with commas between"),
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
