import CLinux
import Glibc
public import Spatiotemporal

extension Instant {
  /// What the system's clock shows now.
  public static func wallClock() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }
}
