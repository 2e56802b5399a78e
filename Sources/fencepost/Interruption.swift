import Glibc
import Synchronization

/// Notices Ctrl-C (SIGINT) and SIGTERM, so that a long run ends with its summary. The second one ends the
/// process at once, as always.
final class Interruption: Sendable {
  /// A handler may touch nothing but atomics; one of each a process is enough, as signals are the process's.
  private static let asked = Atomic<Bool>(false)
  private static let writeEnd = Atomic<Int32>(-1)

  /// Becomes readable when somebody asks for an end, which a reader waits for besides its input; -1 where
  /// the system has no more descriptors. A flag alone would be missed by a read that is about to wait.
  let descriptor: Int32
  private let otherEnd: Int32

  /// True once somebody asked for an end.
  var wasAsked: Bool { Interruption.asked.load(ordering: .relaxed) }

  /// An interruption that does not notice anything yet.
  init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) != 0 { ends = [-1, -1] }
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    otherEnd = ends[1]
    Interruption.asked.store(false, ordering: .relaxed)
  }

  /// Begins to notice.
  func listen() {
    Interruption.writeEnd.store(otherEnd, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        let code = errno
        Interruption.asked.store(true, ordering: .relaxed)
        var byte: UInt8 = 0
        _ = write(Interruption.writeEnd.load(ordering: .relaxed), &byte, 1)
        signal(number, SIG_DFL)
        errno = code
      }
    }
  }

  deinit {
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    Interruption.writeEnd.store(-1, ordering: .relaxed)
    close(descriptor)
    close(otherEnd)
  }
}
