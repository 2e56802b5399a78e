/// A request to a daemon.
public enum ControlRequest: String, Sendable, CaseIterable {
  /// Get the status, a ``DaemonStatus``.
  case status
  /// Pause deliveries.
  case pause
  /// Resume deliveries.
  case resume
  /// Reload settings and store.
  case reload
  /// Get an address that signs in a browser once: `{"url":…,"expires":…}`.
  case web
}
