import Foundation
import Glibc
import Synchronization

/// A server on this machine with the reactions that a test sets. It records requests.
package final class HTTPSink: Sendable {
  package struct Request: Sendable {
    package var method: String
    package var path: String
    /// By name in lower case.
    package var headers: [String: String]
    package var body: String
  }

  package enum Reaction: Sendable {
    case answer(Int, headers: [String] = [], body: String = "")
    /// Waits for some seconds without an answer, then disconnects.
    case stall(Double)
    /// Disconnects without an answer.
    case hangUp
  }

  package var port: UInt16 { listener.port }
  private let listener: LoopbackListener
  private let react: @Sendable (Int, Request) -> Reaction
  private let received = Mutex<[Request]>([])

  /// The requests, in order.
  package var requests: [Request] { received.withLock { $0 } }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for any free one.
  ///   - react: The reaction to a request, with the number of earlier requests.
  package init(port: UInt16 = 0, _ react: @escaping @Sendable (Int, Request) -> Reaction) throws {
    self.react = react
    listener = try LoopbackListener(port: port)
    listener.start(concurrently: true) { [weak self] in self?.serve($0) }
  }

  /// Stops listening.
  package func stop() { listener.stop() }

  private func serve(_ peer: Int32) {
    guard let request = HTTPSink.read(from: peer) else { return }
    let index = received.withLock {
      $0.append(request)
      return $0.count - 1
    }
    switch react(index, request) {
    case .hangUp: return
    case .stall(let seconds): Thread.sleep(forTimeInterval: seconds)
    case .answer(let status, let headers, let body):
      let lines =
        ["HTTP/1.1 \(status) X", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
      let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
      _ = send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }

  private static func read(from peer: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          let parts = line.split(separator: ":", maxSplits: 1)
          if parts.count == 2 {
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
          }
        }
        let body = String(text[end.upperBound...])
        if body.utf8.count >= Int(headers["content-length"] ?? "0") ?? 0 {
          let words = lines[0].split(separator: " ").map(String.init)
          return Request(
            method: words.first ?? "", path: words.dropFirst().first ?? "", headers: headers, body: body)
        }
      }
      let count = recv(peer, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }
}
