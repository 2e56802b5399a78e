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
      "\(path): this path is too long for a socket; say a shorter one with --socket"
    case .socketInUse(let path):
      "another daemon listens at \(path); say another one with --socket"
    case .noSocket(let path):
      "\(path) is there already, and is no socket; say another one with --socket"
    case .notRunning(let path):
      "no daemon runs (nobody listens at \(path)); start one with 'fencepost daemon'"
    case .busy(let path):
      "a daemon listens at \(path) and does not answer: it is starting, or busy; ask it again"
    case .endedUnkept(let path):
      "\(path): the daemon ended before the store could be written to again; what came last is not in it"
    case .refused(let words): words
    }
  }
}
