import Foundation
import Glibc
import Synchronization

/// An HTTP server on the loopback interface with the responses that a test sets. It has its own thread.
public final class LoopbackServer: Sendable {
  /// A request of a client.
  public struct Request: Sendable {
    /// The method, for example GET.
    public var method: String
    /// The path with the query.
    public var path: String
    /// The headers, with names in lower case.
    public var headers: [String: String]
    /// The body, if its length was sent.
    public var body: [UInt8]
  }

  /// A response.
  public struct Response: Sendable {
    /// The status code.
    public var status: Int
    /// The headers, besides those that the server always sends.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]
    /// The number of repetitions of the body, for responses that are never completely in memory.
    public var times: Int
    /// Seconds to wait before answering.
    public var delay: Double
    /// A wrong length to claim; `nil` for the true one.
    public var saidLength: Int?

    /// A response.
    public init(
      status: Int = 200, headers: [String: String] = [:], body: [UInt8] = [], times: Int = 1,
      delay: Double = 0, saidLength: Int? = nil
    ) {
      self.status = status
      self.headers = headers
      self.body = body
      self.times = times
      self.delay = delay
      self.saidLength = saidLength
    }

    /// A response with text.
    public static func text(_ text: String, _ headers: [String: String] = [:]) -> Response {
      Response(headers: headers, body: Array(text.utf8))
    }
  }

  /// Its port.
  public var port: UInt16 { listener.port }
  private let listener: LoopbackListener
  private let log = Mutex<[Request]>([])

  /// The requests so far.
  public var requests: [Request] { log.withLock { $0 } }

  /// The address of a path on this server.
  public func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// A server that answers requests one after the other with the results of `answer`.
  public init(_ answer: @escaping @Sendable (Request) -> Response) throws {
    listener = try LoopbackListener()
    listener.start { [weak self] client in self?.serve(client, answer) }
  }

  private func serve(_ client: Int32, _ answer: (Request) -> Response) {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !received.contains([13, 10, 13, 10]) {
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      received += buffer.prefix(count)
    }
    let lines = String(decoding: received, as: UTF8.self).split(separator: "\r\n")
    guard let first = lines.first?.split(separator: " "), first.count >= 2 else { return }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
    }
    var body: [UInt8] = []
    // A connection that is closed with unread bytes may lose the answer.
    if let said = headers["content-length"].flatMap({ Int($0) }), said > 0 {
      let head = received.firstIndex(ofEnd: [13, 10, 13, 10]) ?? received.count
      body = Array(received[head...])
      var left = said - body.count
      while left > 0 {
        let count = recv(client, &buffer, min(left, buffer.count), 0)
        guard count > 0 else { return }
        body += buffer.prefix(count)
        left -= count
      }
    }
    let request = Request(method: String(first[0]), path: String(first[1]), headers: headers, body: body)
    log.withLock { $0.append(request) }
    let response = answer(request)
    if response.delay > 0 { Thread.sleep(forTimeInterval: response.delay) }
    var head = "HTTP/1.1 \(response.status) X\r\nConnection: close\r\n"
    for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
    if response.times == 1 { head += "Content-Length: \(response.saidLength ?? response.body.count)\r\n" }
    guard send(Array((head + "\r\n").utf8), to: client) else { return }
    for _ in 0..<response.times where !send(response.body, to: client) { return }
  }

  private func send(_ bytes: [UInt8], to client: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

extension [UInt8] {
  /// The index after the first occurrence of a pattern.
  fileprivate func firstIndex(ofEnd pattern: [UInt8]) -> Int? {
    guard count >= pattern.count else { return nil }
    return (0...(count - pattern.count)).first { self[$0..<$0 + pattern.count].elementsEqual(pattern) }
      .map { $0 + pattern.count }
  }

  fileprivate func contains(_ pattern: [UInt8]) -> Bool {
    count >= pattern.count
      && (0...(count - pattern.count)).contains { self[$0..<$0 + pattern.count].elementsEqual(pattern) }
  }
}
