import CLinux
import Glibc
public import Spatiotemporal

/// A value that threads share, and for changes of which they wait: a monitor (C. A. R. Hoare, Communications of the ACM
/// 17(10), 1974).
///
/// `@unchecked Sendable`: `value` is reached only under `mutex`.
public final class Monitor<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// A monitor of a value that nobody else has.
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

  /// Reads or changes the value while nobody else does. Who waits is not told of it.
  public func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Changes the value while nobody else does, and lets those look who wait for that.
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

  /// Waits until `body` finds what it looks for. It is called at once, and after each ``update(_:)``; what it changes when
  /// it returns something, others are told of.
  public func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = look(body) { return result }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// Waits until `body` finds what it looks for, as ``wait(for:)`` does, or `deadline` has come: then `nil`.
  ///
  /// The deadline is the wall clock's, so that a sleep of the machine counts.
  public func wait<Result>(until deadline: Instant, for body: (inout Value) -> Result?) -> Result? {
    let (seconds, microseconds) = deadline.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    // None before 1970, which pthread_cond_timedwait(3) may refuse: it has passed.
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
