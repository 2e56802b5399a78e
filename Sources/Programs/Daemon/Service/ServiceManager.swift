import CFencepostLinux
import CFencepostSystemd
import Glibc

/// Reports the daemon's state to the service manager: the datagrams of sd_notify(3). Without a manager
/// (NOTIFY_SOCKET is not set), it does nothing.
final class ServiceManager {
  /// The seconds between keep-alive messages, half of what the manager demands; `nil` if it demands none.
  let heartbeat: Double?
  private var status: String?

  init() {
    var microseconds: UInt64 = 0
    heartbeat = sd_watchdog_enabled(0, &microseconds) > 0 ? Double(microseconds) / 2e6 : nil
  }

  /// Reports that the daemon is ready.
  func ready() { tell("READY=1") }

  /// Reports that the settings are being reloaded; ``ready()`` ends that.
  func reloading() {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    tell("RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1_000)")
  }

  /// Reports that it is stopping.
  func stopping() { tell("STOPPING=1") }

  /// Sends a keep-alive.
  func beat() { tell("WATCHDOG=1") }

  /// Sends a status line, if it has changed.
  func say(_ status: String) {
    guard status != self.status else { return }
    self.status = status
    tell("STATUS=" + status.replacing("\n", with: " "))
  }

  private func tell(_ state: String) { sd_notify(0, state) }
}
