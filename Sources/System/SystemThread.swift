import CLinux
import Glibc

/// Threads of the system's own.
///
/// Not Dispatch's: once its pool has been used, it looks after itself every second for ever, which would wake a daemon
/// that has nothing to do.
public enum SystemThread {
  /// Runs `body` on a thread of its own. It is not waited for.
  ///
  /// - Parameter name: What ps(1) and debuggers show, of which the system keeps 15 bytes.
  /// - Throws: Where the system has no more threads.
  public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
    pthread_detach(
      try make {
        clinux_name_thread(name)
        body()
      })
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// A thread that is to be joined or detached.
  static func make(_ body: @escaping @Sendable () -> Void) throws(SystemFailure) -> pthread_t {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let code = pthread_create(
      &thread, nil,
      { work in
        guard let work else { return nil }
        Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      work.release()
      throw SystemFailure("start a thread", code: code)
    }
    return thread
  }
}
