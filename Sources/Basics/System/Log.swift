import CFencepostLinux
import Glibc
import Synchronization

/// The daemon's log on standard error, with priorities for journald (sd-daemon(3)).
///
/// Positions and device names appear only at ``Level/debug``.
public struct Log: Sendable {
  /// The severity, with syslog's numbers.
  public enum Level: Int, Sendable, Comparable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    /// The names of the levels, the most severe first.
    public static let allNames = allCases.map { "\($0)" }

    /// The level with this name; `nil` if it is unknown.
    public init?(name: String) {
      guard let level = Level.allCases.first(where: { "\($0)" == name }) else { return nil }
      self = level
    }

    /// Compares the numbers: more severe levels come first.
    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  /// Shared by the copies of a log, so that a change of the level reaches all of them.
  private final class Threshold: Sendable {
    let level: Atomic<Int>
    init(_ level: Level) { self.level = Atomic(level.rawValue) }
  }

  private let shared: Threshold
  private let write: @Sendable (Level, String) -> Void

  /// A log that passes each line to `write`.
  public init(threshold: Level = .info, write: @escaping @Sendable (Level, String) -> Void) {
    shared = Threshold(threshold)
    self.write = write
  }

  /// The least severe level that is logged. It is shared by all copies of this log.
  public var threshold: Level {
    get { Level(rawValue: shared.level.load(ordering: .relaxed)) ?? .info }
    nonmutating set { shared.level.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// The log of this process.
  ///
  /// - Parameters:
  ///   - threshold: The least severe level that is logged.
  ///   - journalStream: The value of JOURNAL_STREAM: the device and inode numbers of the stream to journald.
  ///     If standard error has these numbers, journald reads it (systemd.exec(5)).
  public static func standardError(threshold: Level, journalStream: String?) -> Log {
    let isJournal = journalStream.map(isJournal) ?? false
    return Log(threshold: threshold) { level, text in
      // One call for each line, so that threads don't mix their lines.
      let line = (isJournal ? "<\(level.rawValue)>" : "fencepost: ") + text + "\n"
      _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
    }
  }

  private static func isJournal(_ stream: String) -> Bool {
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// Writes a line.
  public func callAsFunction(_ level: Level, _ text: @autoclosure () -> String) {
    if level <= threshold { write(level, text()) }
  }
}
