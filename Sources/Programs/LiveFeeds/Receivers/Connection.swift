import CFencepostLinux
import FencepostAddresses
import FencepostSystem
import FencepostWebServer
import Glibc

/// A TCP connection, for reading.
enum Connection {
  /// Connects, and sends `greeting`.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - port: The port.
  ///   - greeting: The first bytes to send.
  ///   - timeout: The timeout for each address of the host.
  ///   - interrupter: A descriptor that becomes ready to cancel; -1 for never.
  static func open(
    host: String, port: UInt16, greeting: String, timeout: Duration = .seconds(20),
    interruptedBy interrupter: Int32 = -1
  ) throws(SystemFailure) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let answer = getaddrinfo(host, String(port), &hints, &found)
    guard answer == 0, let first = found else { throw SystemFailure.lookup(of: host, answer) }
    defer { freeaddrinfo(first) }
    var code = ECONNREFUSED
    for address in sequence(first: first, next: { $0.pointee.ai_next }).map(\.pointee) {
      let kind = address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let descriptor = socket(address.ai_family, kind, address.ai_protocol)
      guard descriptor >= 0 else { continue }
      code = connect(descriptor, to: address, timeout, interrupter)
      if code == 0 {
        noticeSilence(of: descriptor)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        // If the other end is gone, reading reports it.
        try? DescriptorIO.send(greeting.utf8Span.span.bytes, to: descriptor)
        return descriptor
      }
      close(descriptor)
      if code == ECANCELED { break }
    }
    throw SystemFailure("connect to \(HostName.text(host)):\(port)", code: code)
  }

  /// Connects a non-blocking descriptor.
  ///
  /// - Returns: 0 or the error number; ECANCELED after a cancellation.
  private static func connect(
    _ descriptor: Int32, to address: addrinfo, _ timeout: Duration, _ interrupter: Int32
  ) -> Int32 {
    if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return 0 }
    guard errno == EINPROGRESS else { return errno }
    switch Readiness.wait(
      for: descriptor, .writable, until: .now + timeout, interruptedBy: interrupter)
    {
    case .timedOut: return ETIMEDOUT
    case .interrupted: return ECANCELED
    case .ready:
      var code: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
    }
  }

  /// Detects a silent peer that is gone, after two minutes: keep-alive begins after one, with four probes.
  private static func noticeSilence(of descriptor: Int32) {
    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
      var value = value
      setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    set(SOL_SOCKET, SO_KEEPALIVE, 1)
    set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60)
    set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, 15)
    set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 4)
  }
}

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
