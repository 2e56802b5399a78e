import Glibc

/// A value that one thread at a time may use.
///
/// `@unchecked Sendable`: only code under `mutex` accesses `value`. Not the standard library's `Mutex`, whose
/// closures can only return `sending` values, while a scope may return any value of the caller.
public final class Exclusive<Value>: @unchecked Sendable {
  private let value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Takes ownership of `value`.
  public init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    // Makes a nested scope an error instead of an endless wait.
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Uses the value if no thread uses it, this one included; `nil` otherwise.
  public func withValueIfFree<Result>(_ body: (Value) -> Result) -> Result? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { pthread_mutex_unlock(mutex) }
    return body(value)
  }

  /// Uses the value once no other thread does.
  ///
  /// - Precondition: This thread is not using it already.
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
