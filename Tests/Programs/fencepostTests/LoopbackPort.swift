import FencepostTestSupport
import Foundation
import Glibc
import Testing

/// The port of a program under test.
enum LoopbackPort {
  /// The port in a daemon's log, the last one; `nil` before the daemon has logged one. A port that was chosen
  /// beforehand might be in use by then.
  static func logged(in log: String) -> UInt16? {
    log.split(separator: "\n").last { $0.contains("listens on port ") }
      .flatMap { $0.split(separator: " ").last }.flatMap { UInt16($0) }
  }

  /// Posts JSON, and returns the first line of the response. It retries while the program reopens its port.
  static func post(_ body: String, to port: () -> UInt16?) throws -> String {
    var answer: String?
    let isAnswered = try eventually {
      if let port = port() { answer = try attempt(body, port) }
      return answer != nil
    }
    guard isAnswered, let answer else { throw TimedOut(description: "no listener") }
    return answer
  }

  private static func attempt(_ body: String, _ port: UInt16) throws -> String? {
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
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4_096)
    while case let count = recv(connection, &part, part.count, 0), count > 0 { answer += part[..<count] }
    // The status and its text.
    let lines = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let status = lines.first?.split(separator: " ").dropFirst().first else { return nil }
    return "\(status) \(lines.last ?? "")"
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}

/// A port of this machine on which nothing listens, and nothing can while this is there.
final class ReservedPort {
  /// Its number.
  let number: UInt16
  private let descriptor: Int32

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    number = UInt16(bigEndian: address.sin_port)
    try #require(isBound)
  }

  deinit { close(descriptor) }
}
