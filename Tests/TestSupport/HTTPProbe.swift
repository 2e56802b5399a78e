import Glibc

/// An HTTP client that sends any bytes, valid or not.
public final class HTTPProbe {
  /// The connection failed.
  public struct Failure: Error {}

  private let descriptor: Int32

  /// Connects to a port of this machine.
  public init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure() }
    // A silent server fails the test instead of blocking it.
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Sends bytes. False if the other end has disconnected.
  @discardableResult
  public func send(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// All bytes until the other end disconnects.
  public func rest() -> String {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: all, as: UTF8.self) }
      all += buffer[..<count]
    }
  }

  /// Whether the other end disconnects, after any bytes. False if it sends nothing for half a minute.
  public func ends() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count <= 0 { return count == 0 || errno == ECONNRESET }
    }
  }

  /// The bytes up to `end`, or until the other end disconnects.
  public func read(until end: String) -> String {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !text.contains(end) {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return text }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return text
  }

  /// Sends a request, and returns the status and the body, as `200 []`.
  public static func ask(
    _ port: UInt16, _ method: String = "POST", _ target: String = "/", headers: [String] = [],
    body: String = ""
  ) throws -> String {
    let probe = try HTTPProbe(port: port)
    var lines = ["\(method) \(target) HTTP/1.1", "Connection: close"] + headers
    if !headers.contains(where: { $0.hasPrefix("Host:") }) { lines.append("Host: 127.0.0.1:\(port)") }
    if !headers.contains(where: { $0.hasPrefix("Transfer-Encoding:") || $0.hasPrefix("Content-Length:") }) {
      lines.append("Content-Length: \(body.utf8.count)")
    }
    probe.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    return summary(probe.rest())
  }

  /// A response as `200 body`.
  public static func summary(_ answer: String) -> String {
    let lines = answer.replacing("\r\n", with: "\n")
    let status = lines.split(separator: " ", maxSplits: 2).dropFirst().first ?? "-"
    let body = lines.firstRange(of: "\n\n").map { lines[$0.upperBound...] } ?? ""
    return "\(status) \(body)".trimmingSuffix { $0.isWhitespace }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    var text = self[...]
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return String(text)
  }
}
