import CLinux
import Glibc

/// Goes off every so many seconds in which the machine is awake: timerfd_create(2) on the monotonic clock.
public final class Ticker {
  /// Ready for reading when it went off.
  public let descriptor: Int32

  /// A ticker that has started.
  public init(every seconds: Double) throws(SystemFailure) {
    descriptor = try SystemFailure.check(
      timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC)), "make a timer")
    let span = timespec(
      tv_sec: Int(seconds), tv_nsec: max(1, Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9)))
    var setting = itimerspec(it_interval: span, it_value: span)
    _ = try SystemFailure.check(timerfd_settime(descriptor, 0, &setting, nil), "set a timer")
  }

  deinit { close(descriptor) }

  /// Takes note that it went off.
  public func acknowledge() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
  }
}
