import Glibc

/// What the daemon says of itself, on standard error: a line each, with the priority in front that journald
/// understands where it listens (sd-daemon(3)).
///
/// Positions and names of devices are never told above ``Level/debug``.
public struct Log: Sendable {
  /// How much a line matters, in syslog's numbers.
  public enum Level: Int, Sendable, Comparable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    /// By number: what matters more comes first.
    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  /// Lines that matter less than this are not written.
  public var threshold: Level
  private let write: @Sendable (Level, String) -> Void

  /// A log that hands each line to `write`.
  public init(threshold: Level = .info, write: @escaping @Sendable (Level, String) -> Void) {
    self.threshold = threshold
    self.write = write
  }

  /// The log of this process. `isJournal` tells that journald reads standard error.
  public static func standardError(threshold: Level, isJournal: Bool) -> Log {
    Log(threshold: threshold) { level, text in
      // One call a line, so that threads don't mix.
      let line = (isJournal ? "<\(level.rawValue)>" : "fencepost: ") + text + "\n"
      _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
    }
  }

  /// Writes a line.
  public func callAsFunction(_ level: Level, _ text: @autoclosure () -> String) {
    if level <= threshold { write(level, text()) }
  }
}
