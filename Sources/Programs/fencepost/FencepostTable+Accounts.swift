import FencepostCommandLineTable

extension FencepostTable {
  private static let account = "Name of the account, or its address"

  static let accounts = Command(
    "accounts", summary: "Synchronize with calendar servers (CalDAV)",
    discussion: [
      """
      An account brings the calendars and lists of a server such as Nextcloud, Radicale or Fastmail. Changes go both \
      ways. Changes of both sides are merged property by property. If both sides changed the same property, the later \
      change wins, and `conflicts` shows the other one. The daemon synchronizes every 15 minutes, and after a change \
      here.
      """
    ],
    subcommands: [
      Command(
        "add", summary: "Add an account and read its calendars",
        discussion: [
          """
          Finds the calendars from the address of the server, its name, or a mail address. The password is read from \
          standard input, without showing it on a terminal. It is kept in the keyring of your session, otherwise in a \
          file beside the store that only you can read. Use an app password if the server has them.
          """,
          """
          Servers without passwords, such as Google's calendars, need a sign-in with OAuth. Register a client of your \
          own there ("desktop app"), and give its ID with `--oauth`. The sign-in opens in your browser; with \
          `--other-device` you enter a code on any other device, where the server allows that.
          """,
        ],
        examples: [
          Example("fencepost accounts add https://cloud.example.org --user anna", "Nextcloud"),
          Example("fencepost accounts add anna@example.org --password-file ~/.password", "By a mail address"),
          Example(
            "fencepost accounts add https://apidata.googleusercontent.com/caldav/v2/anna@gmail.com/user --oauth 123.apps.googleusercontent.com --client-secret-file ~/.client-secret",
            "Google's calendars"),
        ],
        options: [
          .value(.user, "NAME", default: "the mail address", "User name on the server"),
          .value(
            .passwordFile, "FILE", completion: .file(), "Read the password from the first line of this file"),
          .value(.title, "NAME", default: "the name of the server", "Name of the account here"),
          .value(.oauth, "ID", category: "OAuth", "Sign in with OAuth as the client with this ID"),
          .value(
            .clientSecretFile, "FILE", completion: .file(), category: "OAuth",
            "Read the client's secret from the first line of this file"),
          .value(
            .issuer, "URL", default: "Google's for its calendars", category: "OAuth",
            "Address of the authorization server"),
          .value(
            .scope, "WORDS", default: "Google's for its calendars", category: "OAuth",
            "What the server calls the permission"),
          .flag(.otherDevice, category: "OAuth", "Enter a code on another device instead"),
        ],
        positionals: [
          Positional(
            .address, .required, "An `https://` address, the name of a server, or a mail address",
            metavariable: "URL|MAIL")
        ],
        action: .run(isUndoable: false) { try $0.addAccount() }),
      Command(
        "list", summary: "List accounts and their state",
        examples: [Example("fencepost accounts list", "All of them")],
        action: .run(isUndoable: false) { try $0.listAccounts() }),
      Command(
        "sync", summary: "Synchronize now",
        discussion: [
          """
          Prints the number of received and sent objects. If more than half of a list, and at least ten items, would \
          be removed on either side, they stay until you use `--yes`.
          """
        ],
        examples: [
          Example("fencepost accounts sync", "All accounts"),
          Example("fencepost accounts sync --dry-run", "Show how much would change"),
        ],
        options: [
          .flag(.dryRun, short: "n", "Show what would change, and change nothing"),
          .flag(.yes, short: "y", "Remove also large parts of lists"),
        ],
        positionals: [Positional(.name, .zeroOrMore, account)],
        action: .run(isUndoable: false) { try $0.syncAccounts() }),
      Command(
        "sign-in", summary: "Sign in again, after the server has refused the sign-in",
        discussion: [
          "Asks for the password again, or repeats the sign-in with OAuth. Nothing here gets lost. Then synchronizes."
        ],
        examples: [Example("fencepost accounts sign-in cloud.example.org", "With a new password")],
        options: [
          .value(
            .passwordFile, "FILE", completion: .file(), "Read the password from the first line of this file"),
          .flag(.otherDevice, "With OAuth, enter a code on another device"),
        ],
        positionals: [Positional(.name, .required, account)],
        action: .run(isUndoable: false) { try $0.signInToAccount() }),
      Command(
        "conflicts", summary: "Show what was changed on both sides",
        discussion: [
          "For each property that both sides had changed, the value that was kept, and the one that was not."
        ],
        examples: [Example("fencepost accounts conflicts", "All of them, the latest first")],
        options: [.flag(.forget, "Forget them")],
        positionals: [Positional(.name, .zeroOrMore, account)],
        action: .run(isUndoable: false) { try $0.listConflicts() }),
      Command(
        "restore", summary: "Take back a value that was not kept",
        discussion: [
          "Puts the other value of a conflict in place of the kept one, here and on the server. `undo` reverts it."
        ],
        examples: [Example("fencepost accounts restore 3", "The one with this number in `conflicts`")],
        positionals: [Positional(.number, .oneOrMore, "Number of a conflict", metavariable: "NUMBER")],
        action: .run { try $0.restoreConflicts() }),
      Command(
        "remove", summary: "Remove an account with its lists; the server keeps them",
        examples: [Example("fencepost accounts remove cloud.example.org --yes", "Remove one")],
        options: [.flag(.yes, short: "y", "Don't ask for confirmation")],
        positionals: [Positional(.name, .oneOrMore, account)],
        action: .run(isUndoable: false) { try $0.removeAccount() }),
    ])

  static let sync = Command(
    "sync", summary: "Synchronize a list with a folder of files (a vdir)",
    discussion: [
      """
      The folder has a file for each item, as in khal, todoman and vdirsyncer. Changes go both ways and are merged \
      like those of a server. The first time, each side gets everything from the other.
      """
    ],
    examples: [Example("fencepost sync ~/.calendars/errands --list Errands", "The first time")],
    options: [
      .value(.list, "NAME", short: "l", completion: .program("lists"), "The list, the first time"),
      .flag(.dryRun, short: "n", "Show what would change, and change nothing"),
      .flag(.yes, short: "y", "Remove also large parts of lists"),
    ],
    positionals: [Positional(.folder, .required, "An existing folder", completion: .file())],
    action: .run(isUndoable: false) { try $0.syncFolder() })
}
