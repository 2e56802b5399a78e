import CFencepostLinux
public import FencepostSpatiotemporal
import Glibc

/// A value that threads share and whose changes they can wait for: a monitor (C. A. R. Hoare, Communications
/// of the ACM 17(10), 1974).
///
/// `@unchecked Sendable`: only code under `mutex` accesses `value`.
public final class Monitor<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// A monitor of `value`, which it takes over.
  public init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Reads or changes the value under the lock. Does not wake waiting threads.
  public func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Changes the value under the lock, and wakes waiting threads.
  @discardableResult
  public func update<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Waits until `body` returns a value. Calls it at once, and after each ``update(_:)``. If `body` changes
  /// the value and returns a result, this wakes the other waiting threads.
  public func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = look(body) { return result }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// Waits until `body` returns a value, as ``wait(for:)`` does, or until `deadline`; then returns `nil`.
  ///
  /// The deadline uses the wall clock, so time while the machine sleeps counts.
  public func wait<Result>(until deadline: Instant, for body: (inout Value) -> Result?) -> Result? {
    let (seconds, microseconds) = deadline.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    // Clamp times before 1970, which pthread_cond_timedwait(3) may refuse: they have passed.
    var time = timespec(tv_sec: max(Int(seconds), 0), tv_nsec: max(Int(microseconds), 0) * 1_000)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = look(body) { return result }
      if pthread_cond_timedwait(changed, mutex, &time) != 0 { return nil }
    }
  }

  private func look<Result>(_ body: (inout Value) -> Result?) -> Result? {
    guard let result = body(&value) else { return nil }
    pthread_cond_broadcast(changed)
    return result
  }
}
