/// Why the daemon's socket can't be created or used. The description is one line.
public enum ControlError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path is too long for the system.
  case pathTooLong(String)
  /// Another daemon listens there.
  case inUse(String)
  /// There is a file that is not a socket.
  case noSocket(String)
  /// No daemon listens there.
  case notRunning(String)
  /// A daemon listens but does not answer.
  case busy(String)
  /// The daemon refused, with its reason.
  case refused(String)

  /// One line with the problem and its solution.
  public var description: String {
    switch self {
    case .pathTooLong(let path): "\(path): path too long for a socket; use a shorter one with --socket"
    case .inUse(let path): "another daemon is listening at \(path); use another path with --socket"
    case .noSocket(let path): "\(path) exists and is not a socket; use another path with --socket"
    case .notRunning(let path):
      "no daemon is running (nothing listens at \(path)); start one with 'fencepost daemon'"
    case .busy(let path):
      "the daemon at \(path) does not answer; it may be starting or busy; try again"
    case .refused(let words): words
    }
  }
}
