import FencepostCommandLineTable

extension FencepostTable {
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
