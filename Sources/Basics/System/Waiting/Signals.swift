import CFencepostLinux
import Glibc
import Synchronization

/// Signals as bytes on a socket for an event loop.
///
/// It uses a handler, not signalfd(2): the threads of a runtime that started earlier don't block signals, and
/// a spawned child inherits a signal mask but not a handler.
public final class Signals {
  /// Readable after a signal.
  public let descriptor: Int32
  /// The end that the handler writes to. A handler may only use an atomic.
  private static let sink = Atomic<Int32>(-1)
  private let numbers: [Int32]

  /// Catches the signals `numbers` until this object is released. Only one object may exist at a time.
  public init(_ numbers: [Int32]) throws(SystemFailure) {
    let ends = try SocketPair.make(waits: false, for: "catch signals")
    descriptor = ends.ours
    self.numbers = numbers
    Signals.sink.store(ends.theirs, ordering: .sequentiallyConsistent)
    var wanted = sigset_t()
    sigemptyset(&wanted)
    for number in numbers {
      sigaddset(&wanted, number)
      signal(number) { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(Signals.sink.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = saved
      }
    }
    // The parent process may have blocked them.
    pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
  }

  deinit {
    for number in numbers { signal(number, SIG_DFL) }
    close(Signals.sink.exchange(-1, ordering: .sequentiallyConsistent))
    close(descriptor)
  }

  /// The received signals, in order.
  public func drain() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return bytes.prefix(max(count, 0)).map { Int32($0) }
  }
}
