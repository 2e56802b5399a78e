import FencepostCalendarModel
import FencepostCommandLineTable
import FencepostItems
import FencepostRecurrence

extension FencepostTable {
  static let help = Command.help(.runAlone { try $0.showHelp() })

  static let manual = Command(
    "manual", summary: "Print the manual page, in mdoc",
    options: [
      .value(.into, "FOLDER", completion: .directory, "Write the pages of all commands to this folder"),
      force,
    ],
    positionals: [
      Positional(.command, .zeroOrMore, "A command, for its own page")
    ],
    isHidden: true,
    action: .runAlone { try $0.printManual() })

  /// The parts of the manual that are not in the table.
  static let manualDetails = ManualDetails(
    date: "November 21, 2026",
    files: [
      .init(
        "$XDG_DATA_HOME/fencepost/calendar.sqlite",
        "The default store. `XDG_DATA_HOME` defaults to `~/.local/share`."
      ),
      .init(
        "$XDG_CONFIG_HOME/fencepost/config.json",
        "The settings. `XDG_CONFIG_HOME` defaults to `~/.config`. See `config`."),
      .init(
        "$XDG_CONFIG_HOME/systemd/user/fencepost.service",
        "The systemd unit that `daemon --install` writes."),
    ],
    environment: [
      .init("FENCEPOST_CONFIG", "The settings file to use instead of the default."),
      .init("NO_COLOR", "If set and not empty, disables colours."),
      .init("TZ", "The time zone for input and output, unless `--zone` is given."),
    ],
    exitStatuses: [
      .init("0", "Success."),
      .init("1", "Failure; see standard error."),
      .init("2", "The command line or the settings file is invalid."),
    ])

  /// The details for the page of a single command.
  static let commandManualDetails = ManualDetails(
    date: manualDetails.date, exitStatuses: manualDetails.exitStatuses)
}

extension Invocation {
  /// `help [COMMAND…]`
  ///
  /// `help phrases` shows what a reminder's line may say, and `help json` what `--json` prints.
  func showHelp() throws {
    if parsed.positionals(.command) == ["phrases"] { return try showPhrases() }
    if parsed.positionals(.command) == ["json"] { return try console.print(OutputSchema.document) }
    let node = try FencepostTable.table.node(at: parsed.positionals(.command))
    try console.write(node.help(.long, width: console.width, style: style))
  }

  private func showPhrases() throws {
    let zones = TimeZoneDatabase(environmentZone: console.environment["TZ"])
    let zone = (parsed.value(.zone) ?? console.environment["FENCEPOST_ZONE"]).map { TimeZoneID(rawValue: $0) }
    let resolver = TimeResolver(zones: zones, floating: zone)
    let help = PhraseHelp(at: Instant(microseconds: console.now()), resolver: resolver, style: style)
    for line in help.lines { try console.print(line) }
  }

  /// `manual [COMMAND…]`: the manual page of the program, or of one command. With `--into`, writes all pages
  /// to files instead.
  func printManual() throws {
    let table = FencepostTable.table
    guard let folder = parsed.value(.into) else {
      return try console.write(Self.page(of: table.node(at: parsed.positionals(.command))))
    }
    for node in table.root.visibleSubtree {
      let path = "\(folder)/\(node.path.joined(separator: "-")).1"
      try OutputKind.manual.check(path, parsed)
      try AtomicFile(path: path).finish(Self.page(of: node))
    }
  }

  private static func page(of node: CommandNode<Action>) -> String {
    node.ancestors.isEmpty
      ? FencepostTable.table.manualPage(FencepostTable.manualDetails)
      : node.manualPage(FencepostTable.commandManualDetails)
  }
}
