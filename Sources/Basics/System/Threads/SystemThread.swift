import CFencepostLinux
import Glibc

/// Threads of the operating system.
///
/// Not Dispatch: once used, its pool does its own maintenance every second, which would wake an idle daemon.
public enum SystemThread {
  /// Runs `body` on a new thread, and does not wait for it.
  ///
  /// - Parameter name: The name in ps(1) and debuggers. The system keeps 15 bytes.
  /// - Throws: If the system has no more threads.
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

  /// A new thread. The caller joins or detaches it.
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
