import CalendarModel
import CalendarStore
import CommandLineTable
import FencepostDaemon
import Geofencing

extension CommandContext {
  /// `daemon [--feed URI]… [--deliver URI]… …`.
  func daemon() throws {
    let configuration = try daemonConfiguration()
    guard !configuration.deliveries.isEmpty else {
      throw CommandError("where do alarms go? Say --deliver, such as '--deliver -' for standard output")
    }
    let daemon = try Daemon(configuration, store: try openStore(), resolver: resolver, log: daemonLog())
    try daemon.run()
  }

  /// What the daemon is to do.
  func daemonConfiguration() throws -> DaemonConfiguration {
    var configuration = DaemonConfiguration(socket: try controlSocket())
    configuration.feeds = try parsed.values("feed").map { try FeedAddress($0) }
    configuration.deliveries = try parsed.values("deliver").map { try .init($0) }
    if parsed.value("policy") == "exact" { configuration.policy = .exact }
    if let grace = parsed.value("grace") {
      guard let span = OffsetPhrase.duration(grace), span.nominalSeconds >= 0 else {
        throw CommandError("'\(grace)' is no span of time; say one such as '90s' or '5m'")
      }
      configuration.grace = Double(span.nominalSeconds)
    }
    return configuration
  }

  /// Where the daemon over the store is asked.
  func controlSocket() throws -> String { try parsed.value("socket") ?? storePath() + ".socket" }

  private func daemonLog() -> Log {
    let levels: [String: Log.Level] = [
      "error": .error, "warning": .warning, "notice": .notice, "info": .info, "debug": .debug,
    ]
    return Log.standardError(
      threshold: levels[parsed.value("log-level") ?? ""] ?? .info,
      isJournal: console.environment["JOURNAL_STREAM"] != nil)
  }
}
