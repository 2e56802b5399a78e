import CFencepostLinux
import Glibc

/// The two ends of a stream within this machine. A socket, not a pipe, so that a write to a closed peer can
/// fail without SIGPIPE.
public enum SocketPair {
  /// Both ends. The caller closes them. Child processes do not inherit them.
  ///
  /// - Parameters:
  ///   - waits: Whether reads and writes block.
  ///   - action: The purpose, as the words after "can't".
  public static func make(
    waits: Bool = true, for action: @autoclosure () -> String
  ) throws(SystemFailure) -> (ours: Int32, theirs: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let flags = waits ? 0 : Int32(SOCK_NONBLOCK.rawValue)
    _ = try SystemFailure.check(socketpair(AF_UNIX, kind | flags, 0, &ends), action())
    return (ends[0], ends[1])
  }
}
