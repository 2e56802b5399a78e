import Glibc
import Synchronization

/// Notices Ctrl-C (SIGINT) and SIGTERM, so that a long run ends with its summary. The second one ends the
/// process at once, as always.
final class Interruption: Sendable {
  /// A handler may touch nothing but an atomic; one a process is enough, as signals are the process's.
  private static let asked = Atomic<Bool>(false)

  /// True once somebody asked for an end.
  var wasAsked: Bool { Interruption.asked.load(ordering: .relaxed) }

  /// Begins to notice.
  init() {
    Interruption.asked.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        Interruption.asked.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }

  deinit {
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
