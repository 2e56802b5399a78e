import CFencepostLinux
public import FencepostSpatiotemporal
import Glibc

extension Instant {
  /// The current time of the system's clock.
  public static func wallClock() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }
}
