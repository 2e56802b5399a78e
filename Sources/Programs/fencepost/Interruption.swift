import FencepostSystem
import Glibc
import Synchronization

/// Detects Ctrl-C (SIGINT) and SIGTERM, so that a long run ends with its summary. A second signal ends the
/// process at once, as usual.
final class Interruption: Sendable {
  /// A signal handler may only use atomics. Signals concern the whole process, so one of each is enough.
  private static let asked = Atomic<Bool>(false)
  private static let wakeUpDescriptor = Atomic<Int32>(-1)

  /// With a flag alone, a read that is about to wait would miss the signal.
  private let wakeUp: WakeUp

  /// Becomes readable on an interruption, so that a reader can wait for it and its input.
  var descriptor: Int32 { wakeUp.descriptor }

  /// True after an interruption.
  var wasAsked: Bool { Interruption.asked.load(ordering: .relaxed) }

  /// An interruption that does not listen yet.
  init() throws(SystemFailure) {
    wakeUp = try WakeUp()
    Interruption.asked.store(false, ordering: .relaxed)
  }

  /// Starts to listen for signals.
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
