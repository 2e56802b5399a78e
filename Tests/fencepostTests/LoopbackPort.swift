import Foundation
import Glibc
import Testing

/// A port of this machine that a program under test listens on.
enum LoopbackPort {
  /// One that nobody listens on.
  static func free() throws -> UInt16 {
    let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(probe) }
    var address = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(probe, $0, size) == 0 ? getsockname(probe, $0, &size) : -1
      }
    }
    try #require(result == 0)
    return UInt16(bigEndian: address.sin_port)
  }

  /// Posts JSON, and returns the status of the answer. A program that is opening its port anew is asked again.
  static func post(_ body: String, to port: UInt16) throws -> Int {
    for _ in 0..<200 {
      if let status = try attempt(body, port) { return status }
      usleep(50_000)
    }
    throw TimedOut(description: "nobody listens on port \(port)")
  }

  private static func attempt(_ body: String, _ port: UInt16) throws -> Int? {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(connection) }
    var address = loopback(port)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { return nil }
    let request =
      "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/json\r\n"
      + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    guard
      Array(request.utf8).withUnsafeBytes({
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }) > 0
    else { return nil }
    var head = [UInt8](repeating: 0, count: 4_096)
    let count = recv(connection, &head, head.count, 0)
    let words = String(decoding: head.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return words.count > 1 ? Int(words[1]) : nil
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
