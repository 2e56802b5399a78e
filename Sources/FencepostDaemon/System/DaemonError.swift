/// Why a daemon can't start or be reached. Its description is one line.
public enum DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A socket's path is too long for the system.
  case socketPathTooLong(String)
  /// Another daemon listens at its socket.
  case socketInUse(String)
  /// Where its socket is to be stands a file that is none.
  case noSocket(String)
  /// None runs.
  case notRunning(String)
  /// One listens and says nothing.
  case busy(String)
  /// It ended while the store could not be written to.
  case endedUnkept(String)
  /// The daemon refused: its words.
  case refused(String)

  /// One line: what is wrong, and what to do.
  public var description: String {
    switch self {
    case .socketPathTooLong(let path):
      "\(path): path too long for a socket; use a shorter one with --socket"
    case .socketInUse(let path):
      "another daemon is listening at \(path); use another path with --socket"
    case .noSocket(let path):
      "\(path) exists and is not a socket; use another path with --socket"
    case .notRunning(let path):
      "no daemon is running (nothing listens at \(path)); start one with 'fencepost daemon'"
    case .busy(let path):
      "the daemon at \(path) does not answer; it may be starting or busy; try again"
    case .endedUnkept(let path):
      "\(path): the daemon ended while the store was not writable; the last positions and alarms are lost"
    case .refused(let words): words
    }
  }
}
