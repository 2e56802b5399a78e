import Glibc

/// Threads that come and go with one piece of work.
public enum CoreThreads {
  /// Calls `body` with each number below `count`, at the same time, and waits for all of them.
  ///
  /// Cost: some tens of microseconds a thread. Where the system has no more threads, the caller does the work.
  public static func perform(_ count: Int, _ body: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      let threads = (1..<max(count, 1)).map { number in try? SystemThread.make { body(number) } }
      body(0)
      for (index, thread) in threads.enumerated() {
        if let thread { pthread_join(thread, nil) } else { body(index + 1) }
      }
    }
  }
}
