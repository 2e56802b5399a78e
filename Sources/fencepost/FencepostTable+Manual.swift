import CommandLineTable

extension FencepostTable {
  /// The parts of the manual that are not in the table.
  static let manualDetails = ManualDetails(
    date: "November 21, 2026",
    files: [
      .init(
        "$XDG_DATA_HOME/fencepost/calendar.sqlite",
        "The store, where nothing else is said; `~/.local/share` stands for `XDG_DATA_HOME` where that is not set."
      ),
      .init(
        "$XDG_CONFIG_HOME/fencepost/config.json",
        "The settings: `~/.config` stands for `XDG_CONFIG_HOME` where that is not set. See `config`."),
      .init(
        "$XDG_CONFIG_HOME/systemd/user/fencepost.service",
        "The unit that `daemon --install` writes."),
    ],
    environment: [
      .init("FENCEPOST_CONFIG", "The file of settings, instead of the usual one."),
      .init("NO_COLOR", "Where it is set and not empty, nothing is coloured."),
      .init("TZ", "The zone in which times are read and shown, unless `--zone` says otherwise."),
    ],
    exitStatuses: [
      .init("0", "All was done."),
      .init("1", "Something failed; standard error says what."),
      .init("2", "The command line, or the file of settings, could not be understood."),
    ])

  /// The same for the page of a single command.
  static let commandManualDetails = ManualDetails(
    date: manualDetails.date, exitStatuses: manualDetails.exitStatuses)
}
