import Glibc

/// A value that one thread at a time may use.
///
/// `@unchecked Sendable`: `value` is reached only under `mutex`. Not the standard library's `Mutex`, whose
/// closures can only return values that are `sending`; those of a scope are the caller's own.
public final class Exclusive<Value>: @unchecked Sendable {
  private let value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// A value that this object alone has from now on.
  public init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    // So that a nested scope is an error rather than a wait without end.
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Uses the value, once no other thread does.
  ///
  /// - Precondition: This thread does not use it already.
  public func withValue<Result, Failure: Error>(
    _ body: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard pthread_mutex_lock(mutex) == 0 else {
      fatalError("a scope of \(Value.self) inside another one of the same thread; use the outer one")
    }
    defer { pthread_mutex_unlock(mutex) }
    return try body(value)
  }
}
