import FencepostSystem
import Glibc

/// A receiver on a serial line.
enum SerialLine {
  /// The rates of a line in bits per second, with their constants of termios(3).
  static let rates: [Int: speed_t] = [
    1200: speed_t(B1200), 2400: speed_t(B2400), 4800: speed_t(B4800), 9600: speed_t(B9600),
    19_200: speed_t(B19200), 38_400: speed_t(B38400), 57_600: speed_t(B57600), 115_200: speed_t(B115200),
    230_400: speed_t(B230400),
  ]

  /// Opens the line at `path` with eight bits, no parity and `baud` bits per second.
  static func open(_ path: String, baud: Int) throws(SystemFailure) -> Int32 {
    let descriptor = try SystemFailure.check(
      // Non-blocking, so that it does not wait for a carrier, which receivers never signal.
      Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK), "open \(path)")
    var setting = termios()
    guard tcgetattr(descriptor, &setting) == 0, let rate = rates[baud] else {
      let failure = SystemFailure("set up \(path): not a serial line")
      close(descriptor)
      throw failure
    }
    cfmakeraw(&setting)
    setting.c_cflag |= tcflag_t(CLOCAL | CREAD)
    cfsetispeed(&setting, rate)
    cfsetospeed(&setting, rate)
    guard tcsetattr(descriptor, TCSANOW, &setting) == 0 else {
      let failure = SystemFailure("set up \(path)")
      close(descriptor)
      throw failure
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    return descriptor
  }
}
