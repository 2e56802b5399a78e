import CFencepostLinux
import Glibc

/// Goes off at a fixed interval while the machine is awake: timerfd_create(2) on the monotonic clock.
public final class Ticker {
  /// Readable after it went off.
  public let descriptor: Int32

  /// Starts a ticker with an interval in seconds.
  public init(every seconds: Double) throws(SystemFailure) {
    descriptor = try SystemFailure.check(
      timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC)), "make a timer")
    let span = timespec(
      tv_sec: Int(seconds), tv_nsec: max(1, Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9)))
    var setting = itimerspec(it_interval: span, it_value: span)
    _ = try SystemFailure.check(timerfd_settime(descriptor, 0, &setting, nil), "set a timer")
  }

  deinit { close(descriptor) }

  /// Acknowledges that it went off.
  public func acknowledge() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
  }
}
