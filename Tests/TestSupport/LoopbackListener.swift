import Foundation
import Glibc

/// A listening socket on the loopback interface, for servers in tests. It ends with its last reference.
public final class LoopbackListener: Sendable {
  /// Closed when both the listener and its thread have ended: the number of a closed descriptor belongs to
  /// whoever opens the next one, and a thread that still accepted there would take foreign clients.
  private final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
  }

  /// Its port.
  public let port: UInt16
  private let descriptor: Descriptor

  /// Listens.
  ///
  /// - Parameter port: The port; 0 for any free one.
  public init(port: UInt16 = 0) throws {
    let descriptor = Descriptor(
      socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
    var on: Int32 = 1
    setsockopt(descriptor.number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor.number, $0, length) == 0 && listen(descriptor.number, 16) == 0
          && getsockname(descriptor.number, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    self.descriptor = descriptor
    self.port = UInt16(bigEndian: address.sin_port)
  }

  deinit { stop() }

  /// Stops listening.
  public func stop() { shutdown(descriptor.number, Int32(SHUT_RDWR)) }

  /// Serves clients on a thread of its own, one after the other.
  ///
  /// - Parameters:
  ///   - isConcurrent: True to serve each client on a thread of its own.
  ///   - serve: Serves the client of a descriptor, which is closed afterwards. `nil` ends the thread.
  public func start(concurrently isConcurrent: Bool = false, _ serve: @escaping @Sendable (Int32) -> Void?) {
    Thread.detachNewThread { [descriptor] in
      while case let number = accept(descriptor.number, nil, nil), number >= 0 {
        let client = Descriptor(number)
        if isConcurrent {
          Thread.detachNewThread { withExtendedLifetime(client) { _ = serve(client.number) } }
        } else {
          let isServed: Void? = withExtendedLifetime(client) { serve(client.number) }
          if isServed == nil { return }
        }
      }
    }
  }
}
