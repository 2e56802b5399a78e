import FencepostCommandLineTable

extension FencepostTable {
  private static let chosen = Positional(
    .suggestion, .oneOrMore, "A suggestion: its identifier, or the beginning of it",
    completion: .program("suggestions"))

  static let join = Command(
    "join", summary: "Join the call of an event",
    discussion: [
      """
      Opens the conference of the given event. The default is the current event, or the next one within an hour. \
      Conferences are `CONFERENCE` properties (RFC 7986) and links of the usual services in the URL, the location and \
      the notes. In a pipe, prints the address.
      """
    ],
    examples: [
      Example("fencepost join Choir --print", "Print the address"),
      Example("fencepost join Choir --json", "All addresses as JSON"),
    ],
    options: [.flag(.print, "Print the address, and don't open it")],
    positionals: [
      Positional(
        .item, .optional, "The event: its identifier, or words of its title", completion: .program("items"))
    ],
    action: .run(isUndoable: false) { try $0.join() })

  static let conferences = Command(
    "conferences", summary: "List the programs that create rooms for calls",
    discussion: [
      """
      Such a program is found by a file in `fencepost/conferences` of the data directories (`$XDG_DATA_HOME`, \
      `$XDG_DATA_DIRS`). `add event --conference` asks it for a room. With a provider, lists its kinds of rooms.
      """
    ],
    examples: [Example("fencepost conferences", "List the providers")],
    positionals: [
      Positional(.provider, .optional, "A provider", completion: .program("conferences"))
    ],
    action: .run(isUndoable: false) { try $0.listConferences() })

  static let open = Command(
    "open", summary: "Open a booking in its app, or an event's page",
    discussion: [
      """
      If an app donated the booking of an event, this starts the app's desktop file, with the booking as JSON in \
      `FENCEPOST_INTENT`. Without such an app, it opens the item's URL in the browser. In a pipe, prints what it would \
      run or open.
      """
    ],
    examples: [Example("fencepost open Choir", "Show the booking, or the page")],
    options: [.flag(.print, "Print it, and don't open it")],
    positionals: [
      Positional(
        .item, .required, "The event: its identifier, or words of its title", completion: .program("items"))
    ],
    action: .run(isUndoable: false) { try $0.openItem() })

  static let suggestions = Command(
    "suggestions", aliases: ["inbox"], summary: "Find bookings in mails and pages, and accept them as events",
    discussion: [
      """
      `scan` reads mails, pages and files: flights, trains, buses, boats, rental cars, hotels, restaurants, tickets, \
      taxis (JSON-LD and Microdata of schema.org), Wallet passes (`.pkpass`) and calendars. The store keeps the results as \
      suggestions. Nothing goes into a calendar before you accept it.
      """,
      """
      A later mail about the same booking updates or cancels the suggestion. If you accepted it, the update waits as a \
      new suggestion, unless you trust the sender. What you changed in the event stays. What you reject stays rejected \
      until its time changes.
      """,
    ],
    examples: [Example("fencepost suggestions", "What waits for an answer")],
    subcommands: [
      Command(
        "scan", summary: "Look for bookings in mails, pages and files",
        discussion: [
          """
          A source is a file, a folder, a Maildir, the address of a page, or `-` for standard input, as in a pipe from a mail program. In a \
          Maildir, it skips mails that were scanned before.
          """
        ],
        examples: [
          Example("fencepost suggestions scan Data/booking.eml", "Scan a mail"),
          Example("fencepost suggestions scan --json - < booking.eml", "In a pipe"),
        ],
        options: [
          .flag(
            .acceptUpdates, "Also accept updates and cancellations of what you accepted, from any sender")
        ],
        positionals: [
          Positional(
            .source, .oneOrMore, "A mail, page, pass or calendar, a folder or Maildir, or `-`",
            metavariable: "FILE|FOLDER", completion: .file())
        ],
        action: .run { try $0.scanSuggestions() }),
      Command(
        "list", aliases: ["ls"], summary: "List the suggestions that wait for an answer",
        examples: [Example("fencepost suggestions list --all", "Also answered and past ones")],
        options: [.flag(.all, "Also list answered and past suggestions")],
        action: .run { try $0.listSuggestions() }),
      Command(
        "show", summary: "Show a suggestion in detail",
        examples: [Example("fencepost suggestions show 5A3C", "One suggestion")],
        positionals: [chosen],
        action: .run { try $0.showSuggestions() }),
      Command(
        "accept", summary: "Put suggestions into a calendar",
        examples: [Example("fencepost suggestions accept 5A3C --list Trips", "Into the calendar Trips")],
        options: [
          .value(
            .list, "NAME", short: "l", aliases: ["into"], completion: .program("calendars"),
            "Use this calendar; created if needed")
        ],
        positionals: [chosen],
        action: .run { try $0.acceptSuggestions() }),
      Command(
        "reject", summary: "Reject suggestions",
        examples: [Example("fencepost suggestions reject 5A3C", "Reject one")],
        positionals: [chosen],
        action: .run { try $0.rejectSuggestions() }),
      Command(
        "undo", summary: "Undo an answer",
        discussion: [
          "Removes the event of an accepted suggestion, or reverts it to its state before the update."
        ],
        examples: [Example("fencepost suggestions undo 7B1D", "Ask again")],
        positionals: [chosen],
        action: .run { try $0.undoSuggestions() }),
      Command(
        "trust", summary: "Accept updates from a sender without asking",
        discussion: [
          """
          For mails whose topmost `Authentication-Results` says `dkim=pass` for this domain. That header comes from \
          your mail server; scan only mails that passed it. New bookings still wait for an answer. Without a domain, \
          lists the trusted ones.
          """
        ],
        examples: [
          Example("fencepost suggestions trust airline.example", "Trust a domain"),
          Example("fencepost suggestions trust", "List trusted domains"),
        ],
        options: [.flag(.remove, "Stop trusting it")],
        positionals: [Positional(.domain, .optional, "The domain of the sender")],
        action: .run { try $0.trustSender() }),
    ], runsAlone: true,
    action: .run { try $0.listSuggestions() })
}
