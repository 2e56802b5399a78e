/// Why a daemon ended badly. Its description is one line.
public enum DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It ended while the store could not be written to.
  case endedUnkept(String)

  /// One line: what is wrong.
  public var description: String {
    switch self {
    case .endedUnkept(let path):
      "\(path): the daemon ended while the store was not writable; the last positions and alarms are lost"
    }
  }
}
