import FencepostAddresses
import CFencepostLinux
import FencepostSystem
import Glibc

/// A listening socket for HTTP.
public struct HTTPListener: ~Copyable {
  /// The socket.
  let descriptor: Int32
  /// Its port.
  public let port: UInt16

  /// A socket that listens already.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    port = HTTPListener.port(of: descriptor)
  }

  /// Listens at an address of this machine.
  ///
  /// - Parameters:
  ///   - host: A name or an address.
  ///   - port: The port; 0 for any free one.
  ///   - allow: Checks a resolved address of `host`; throws to reject it.
  public init(host: String, port: UInt16, allow: (PeerAddress?) throws -> Void = { _ in }) throws {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    var found: UnsafeMutablePointer<addrinfo>?
    let answer = getaddrinfo(host, String(port), &hints, &found)
    guard answer == 0, let first = found else { throw SystemFailure.lookup(of: host, answer) }
    defer { freeaddrinfo(first) }
    var code = EADDRNOTAVAIL
    // The first that works. For localhost, try IPv4 first, as more clients do.
    let all = sequence(first: first, next: { $0.pointee.ai_next }).map(\.pointee)
    for candidate in all.sorted(by: { $0.ai_family == AF_INET && $1.ai_family != AF_INET }) {
      guard let socketAddress = candidate.ai_addr else { continue }
      try allow(PeerAddress(socketAddress))
      let kind = candidate.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let descriptor = socket(candidate.ai_family, kind, candidate.ai_protocol)
      guard descriptor >= 0 else { continue }
      var on: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
      if bind(descriptor, socketAddress, candidate.ai_addrlen) == 0, listen(descriptor, 128) == 0 {
        self.descriptor = descriptor
        self.port = HTTPListener.port(of: descriptor)
        return
      }
      code = errno
      close(descriptor)
    }
    throw SystemFailure("listen at \(HostName.text(host)):\(port)", code: code)
  }

  static func port(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(descriptor, address, &size) == 0 else { return 0 }
        // The port has the same offset in both families.
        return UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian
      }
    }
  }
}
