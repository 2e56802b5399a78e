import Glibc

/// Threads that come and go with one piece of work.
///
/// Not Dispatch's: once its pool has been used, it looks after itself every second for ever, which would wake a daemon
/// that has nothing to do.
enum CoreThreads {
  /// Calls `body` with each number below `count`, at the same time, and waits for all of them.
  ///
  /// Cost: some tens of microseconds a thread. Where the system has no more threads, the caller does the work.
  static func perform(_ count: Int, _ body: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      let threads = (1..<max(count, 1)).map { number in start { body(number) } }
      body(0)
      for (index, thread) in threads.enumerated() {
        if let thread { pthread_join(thread, nil) } else { body(index + 1) }
      }
    }
  }

  private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
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
      return nil
    }
    return thread
  }
}
