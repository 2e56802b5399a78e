import Glibc
import Synchronization
import System

/// Notices Ctrl-C (SIGINT) and SIGTERM, so that a long run ends with its summary. The second one ends the
/// process at once, as always.
final class Interruption: Sendable {
  /// A handler may touch nothing but atomics; one of each a process is enough, as signals are the process's.
  private static let asked = Atomic<Bool>(false)
  private static let wakeUpDescriptor = Atomic<Int32>(-1)

  /// A flag alone would be missed by a read that is about to wait.
  private let wakeUp: WakeUp

  /// Becomes readable on an interruption, so that a reader can wait for it and its input.
  var descriptor: Int32 { wakeUp.descriptor }

  /// True after an interruption.
  var wasAsked: Bool { Interruption.asked.load(ordering: .relaxed) }

  /// An interruption that does not notice anything yet.
  init() throws(SystemFailure) {
    wakeUp = try WakeUp()
    Interruption.asked.store(false, ordering: .relaxed)
  }

  /// Begins to notice.
  func listen() {
    Interruption.wakeUpDescriptor.store(wakeUp.descriptor, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        let code = errno
        Interruption.asked.store(true, ordering: .relaxed)
        WakeUp.signal(Interruption.wakeUpDescriptor.load(ordering: .relaxed))
        signal(number, SIG_DFL)
        errno = code
      }
    }
  }

  deinit {
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    Interruption.wakeUpDescriptor.store(-1, ordering: .relaxed)
  }
}
