import CalendarModel
import CalendarStore
import CommandLineTable
import FencepostDaemon
import Geofencing

extension CommandContext {
  /// `daemon [--feed URI]… [--deliver URI]… …`.
  func daemon() throws {
    let (installs, uninstalls) = (parsed.flag("install"), parsed.flag("uninstall"))
    guard !(installs && uninstalls), installs || (!parsed.flag("print") && parsed.value("program") == nil)
    else {
      throw CommandError("--print belongs to --install, and --install and --uninstall exclude one another")
    }
    if installs { return try installService() }
    if uninstalls { return try uninstallService() }
    let configuration = try daemonConfiguration()
    let log = Log.standardError(
      threshold: configuration.logLevel, journalStream: console.environment["JOURNAL_STREAM"])
    let daemon = try Daemon(store: try openStore(), log: log) {
      // The file may be another one by now.
      try CommandContext(parsed, console: console, style: style).daemonConfiguration()
    }
    try daemon.run()
  }

  /// What the daemon is to do.
  func daemonConfiguration() throws -> DaemonConfiguration {
    var configuration = DaemonConfiguration(socket: try controlSocket())
    configuration.feeds = try settings.values(.feeds) { try FeedAddress($0) }
    _ = try settings.values(.channels) {
      configuration.deliveries.append(try .init($0))
      // Each may be right, and two of them too much alike.
      _ = try configuration.channels()
    }
    guard !configuration.deliveries.isEmpty else {
      throw CommandError(
        "where do alarms go? Say --deliver, such as '--deliver -' for standard output, or 'channels' in "
          + (settings.file?.path ?? Settings.usualPath(console.environment) ?? "the file of settings"))
    }
    configuration.zone = try CommandContext.zone(settings)
    configuration.zones.environmentZone = console.environment["TZ"]
    configuration.policy = try policy()
    if let grace = try settings.value(.grace, as: SpanPhrase.seconds) { configuration.grace = grace }
    if let level = try settings.value(.logLevel, as: logLevel) { configuration.logLevel = level }
    if let days = try settings.value(.history, as: historyDays) { configuration.historyDays = days }
    return configuration
  }

  /// Where the daemon over the store is asked.
  func controlSocket() throws -> String {
    try settings.path(.socket) ?? CalendarStore.file(at: storePath()) + ".socket"
  }

  /// A level of the log by its name.
  func logLevel(_ name: String) throws -> Log.Level {
    guard let level = Log.Level(name: name) else {
      throw WordError("level of the log", name, try: Log.Level.allNames.joined(separator: ", "))
    }
    return level
  }

  /// For how many days positions are kept.
  func historyDays(_ text: String) throws -> Int {
    guard let days = Int(text), (0...36_500).contains(days) else {
      throw WordError("number of days from 0 to 36500", text, try: "30")
    }
    return days
  }
}
