import CLinux
import Glibc

/// A TCP connection, for reading.
enum Connection {
  /// Connects, and sends `greeting`.
  static func open(host: String, port: UInt16, greeting: String) throws(SystemFailure) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else {
      throw SystemFailure("find \(host)", code: EHOSTUNREACH)
    }
    defer { freeaddrinfo(first) }
    var code = ECONNREFUSED
    var next: UnsafeMutablePointer<addrinfo>? = first
    while let address = next?.pointee {
      let descriptor = socket(
        address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), address.ai_protocol)
      if descriptor >= 0 {
        if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 {
          // A peer that vanished without a word is noticed by its silence.
          var on: Int32 = 1
          setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, 4)
          _ = greeting.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
          return descriptor
        }
        code = errno
        close(descriptor)
      }
      next = address.ai_next
    }
    throw SystemFailure("connect to \(host):\(port)", code: code)
  }
}
