import CFencepostLinux
import Glibc

/// Wakes a thread that waits for descriptors: eventfd(2).
public final class WakeUp: Sendable {
  /// Readable from ``signal()`` until ``clear()``.
  public let descriptor: Int32

  /// A wake-up that is not signalled.
  public init() throws(SystemFailure) {
    descriptor = try SystemFailure.check(
      eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)), "make a wake-up descriptor")
  }

  deinit { close(descriptor) }

  /// Makes the descriptor readable.
  public func signal() { WakeUp.signal(descriptor) }

  /// Makes the descriptor of a wake-up readable. Safe in a signal handler.
  public static func signal(_ descriptor: Int32) {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  /// Makes the descriptor unreadable again.
  public func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }
}
