import Foundation
import Glibc

/// A listening socket on the loopback interface, for servers in tests. It ends with its last reference.
public final class LoopbackListener: Sendable {
  /// Its port, which the system has chosen.
  public let port: UInt16
  private let descriptor: Int32

  /// Listens.
  public init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  /// Serves clients one after the other, on a thread of its own.
  ///
  /// - Parameter serve: Serves the client of a descriptor, which is closed afterwards. `nil` ends the thread.
  public func start(_ serve: @escaping @Sendable (Int32) -> Void?) {
    Thread.detachNewThread { [descriptor] in
      while case let client = accept(descriptor, nil, nil), client >= 0 {
        let isServed: Void? = serve(client)
        close(client)
        if isServed == nil { return }
      }
    }
  }
}
