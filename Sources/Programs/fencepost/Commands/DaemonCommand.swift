import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostConfiguration
import FencepostDaemon
import FencepostGeofencing
import FencepostPhrases

extension CommandContext {
  /// `daemon [--feed URI]… [--deliver URI]… …`.
  func daemon() throws {
    let (installs, uninstalls) = (parsed.flag(.install), parsed.flag(.uninstall))
    guard !(installs && uninstalls), installs || (!parsed.flag(.print) && parsed.value(.program) == nil)
    else {
      throw CommandError("--print needs --install, and --install can't be used with --uninstall")
    }
    if installs { return try installService() }
    if uninstalls { return try uninstallService() }
    let configuration = try daemonConfiguration()
    let log = Log.standardError(
      threshold: configuration.logLevel, journalStream: console.environment["JOURNAL_STREAM"])
    for caution in try cautions() { log(.warning, caution) }
    while try runDaemon(log) == .storeReplaced {}
  }

  private func runDaemon(_ log: Log) throws -> Daemon.Ending {
    try Daemon(store: try openStore(), log: log) {
      // Read the settings file again, because it may have changed.
      try CommandContext(invocation).daemonConfiguration()
    }.run()
  }

  /// The daemon's configuration.
  func daemonConfiguration() throws -> DaemonConfiguration {
    var configuration = DaemonConfiguration(socket: try controlSocket())
    configuration.suggestionAlarms = try reservationAlarms()
    configuration.feeds = try settings.values(.feeds) { try FeedAddress($0) }
    _ = try settings.values(.channels) {
      configuration.deliveries.append(try .init($0))
      // Each channel may be valid, but two of them may have the same name.
      _ = try configuration.channels()
    }
    configuration.server = try settings.value(.server) { try ServerAddress($0) }
    configuration.version = FencepostTable.version
    configuration.shownSettings = (try? shownSettings()) ?? []
    // The web app also shows alarms, so channels are optional with it.
    guard !configuration.deliveries.isEmpty || configuration.server != nil else { throw noChannels }
    configuration.zone = try CommandContext.zone(settings)
    configuration.zones.environmentZone = console.environment["TZ"]
    configuration.policy = try policy()
    if let grace = try settings.value(.grace, as: SpanPhrase.seconds) { configuration.grace = grace }
    if let age = try settings.value(.latestAge, as: SpanPhrase.seconds) { configuration.latestAge = age }
    configuration.alarms = try alarmDefaults()
    if let level = try settings.value(.logLevel, as: logLevel) { configuration.logLevel = level }
    if let days = try settings.value(.history, as: days) { configuration.historyDays = days }
    if let days = try settings.value(.keepLog, as: days) { configuration.logDays = days }
    return configuration
  }

  /// The error for missing channels.
  var noChannels: SettingError {
    SettingError(
      .channels, .builtIn,
      "no channel to deliver alarms to; use --deliver, such as '--deliver -' for standard output, or set 'channels' in "
        + (settings.file?.path ?? settings.paths.usualConfiguration ?? "the settings file"))
  }

  /// Warnings at the start of the daemon: feeds and channels that can't work, and secrets that others can
  /// read. The daemon starts anyway, because the problem may disappear later.
  private func cautions() throws -> [String] {
    var cautions = try obstacles().map(\.description)
    func look(_ name: SettingName, _ address: (String) throws -> (description: String, holdsSecret: Bool))
      throws
    {
      for value in try settings.setting(name).values {
        guard case .option(let option) = value.origin else { continue }
        let (description, holdsSecret) = try address(value.text)
        if holdsSecret {
          cautions.append(
            "\(option) \(description): other users can read its secret on the command line; put the address"
              + " in the settings file")
        }
      }
    }
    try look(.feeds) {
      let address = try FeedAddress($0)
      return (address.description, address.holdsSecret)
    }
    try look(.channels) {
      let delivery = try DaemonConfiguration.Delivery($0)
      return (delivery.description, delivery.channel.holdsSecret)
    }
    return cautions
  }

  /// The feeds and channels that can't work at the moment, with the reasons.
  func obstacles() throws -> [SettingError] {
    func look(_ name: SettingName, _ obstacle: (String) throws -> String?) throws -> [SettingError] {
      try settings.setting(name).values.compactMap { value in
        try obstacle(value.text).map { SettingError(name, value.origin, $0) }
      }
    }
    return try look(.feeds) { try FeedAddress($0).obstacle }
      + look(.channels) { try DaemonConfiguration.Delivery($0).channel.obstacle }
  }

  /// The path of the daemon's control socket.
  func controlSocket() throws -> String {
    try settings.path(.socket) ?? CalendarStore.file(at: storePath()) + ".socket"
  }

  /// The log level with this name.
  func logLevel(_ name: String) throws -> Log.Level {
    guard let level = Log.Level(name: name) else {
      throw WordError("log level", name, try: Log.Level.allNames.joined(separator: ", "))
    }
    return level
  }

  /// The number of days to keep something.
  func days(_ text: String) throws -> Int {
    guard let days = Int(text), (0...36_500).contains(days) else {
      throw WordError("number of days from 0 to 36500", text, try: "30")
    }
    return days
  }
}
