import CFencepostLinux
import FencepostSystem
import Glibc
import Testing

@testable import FencepostLiveFeeds
@testable import FencepostWebServer

@Suite("Connections for reading")
struct ConnectionTests {
  /// A listening socket on a port of this machine, with a backlog for connections that are never accepted.
  private func listener(backlog: Int32) throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0 && listen(descriptor, backlog) == 0)
    return (descriptor, HTTPListener.port(of: descriptor))
  }

  private func option(_ name: Int32, of descriptor: Int32) -> Int32 {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, Int32(IPPROTO_TCP), name, &value, &size)
    return value
  }

  @Test("The greeting arrives, and keep-alive detects a lost peer within minutes")
  func greets() throws {
    let (listener, port) = try listener(backlog: 4)
    defer { close(listener) }
    let descriptor = try Connection.open(host: "127.0.0.1", port: port, greeting: "hello")
    defer { close(descriptor) }
    let peer = accept(listener, nil, nil)
    defer { close(peer) }
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(read(peer, &buffer, 10) == 5)
    #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0)
    let seconds =
      option(TCP_KEEPIDLE, of: descriptor)
      + option(TCP_KEEPINTVL, of: descriptor) * option(TCP_KEEPCNT, of: descriptor)
    #expect(seconds == 120)
  }

  @Test("A silent address times out, and the connection can be cancelled")
  func silent() throws {
    let (listener, port) = try listener(backlog: 0)
    defer { close(listener) }
    // Connections within the backlog succeed; later ones get no answer.
    var open: [Int32] = []
    defer { for descriptor in open { close(descriptor) } }
    var failure: SystemFailure?
    while failure == nil && open.count < 10 {
      do throws(SystemFailure) {
        open.append(
          try Connection.open(
            host: "127.0.0.1", port: port, greeting: "", timeout: .milliseconds(100)))
      } catch {
        failure = error
      }
    }
    #expect(failure?.code == ETIMEDOUT)
    let interrupter = try WakeUp()
    interrupter.signal()
    let interrupted = #expect(throws: SystemFailure.self) {
      try Connection.open(host: "127.0.0.1", port: port, greeting: "", interruptedBy: interrupter.descriptor)
    }
    #expect(interrupted?.code == ECANCELED)
  }

  @Test("An unknown host name is an error")
  func unknown() throws {
    let failure = #expect(throws: SystemFailure.self) {
      try Connection.open(host: "no host", port: 1, greeting: "")
    }
    #expect(failure?.description == "can't find no host: \(String(cString: gai_strerror(EAI_NONAME)))")
  }

  @Test("A refused connection is an error")
  func refused() throws {
    let (listener, port) = try listener(backlog: 1)
    close(listener)
    let failure = #expect(throws: SystemFailure.self) {
      try Connection.open(host: "127.0.0.1", port: port, greeting: "")
    }
    #expect(failure?.code == ECONNREFUSED)
  }
}
