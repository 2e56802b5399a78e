import CFencepostLinux
public import FencepostSpatiotemporal
import Glibc

/// A timer for a moment of the wall clock. It goes off also after the machine has slept, and whenever the
/// clock is set: timerfd_create(2) with TFD_TIMER_CANCEL_ON_SET.
public final class AlarmTimer {
  /// Readable after the timer went off.
  public let descriptor: Int32
  private var moment: Instant?
  private var isArmed = false

  /// A timer without a moment.
  public init() throws(SystemFailure) {
    descriptor = try SystemFailure.check(
      timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC)), "make a timer")
  }

  deinit { close(descriptor) }

  /// Sets the moment. With `nil` the timer still reports that the clock was set.
  public func set(_ moment: Instant?) throws(SystemFailure) {
    guard !isArmed || moment != self.moment else { return }
    // Some two thousand years, which no clock reaches.
    let microseconds = min(max((moment ?? .distantFuture).microseconds, 1), 1 << 56)
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(microseconds / 1_000_000)
    setting.it_value.tv_nsec = Int(microseconds % 1_000_000) * 1_000
    let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
    _ = try SystemFailure.check(timerfd_settime(descriptor, flags, &setting, nil), "set the timer")
    self.moment = moment
    isArmed = true
  }

  /// Acknowledges that it went off.
  ///
  /// - Returns: Whether it went off because the clock was set.
  public func acknowledge() -> Bool {
    var count: UInt64 = 0
    let wasSet = read(descriptor, &count, MemoryLayout.size(ofValue: count)) < 0 && errno == ECANCELED
    isArmed = false
    return wasSet
  }
}
