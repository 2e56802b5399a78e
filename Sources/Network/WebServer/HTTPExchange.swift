import CFencepostMicroHTTPD
import FencepostAddresses
public import FencepostSystem
import Glibc

/// A request and its response.
///
/// `@unchecked Sendable`: only libmicrohttpd's thread uses it, except while it waits for its response. Then
/// `request` does not change, and ``HTTPIntake`` sets `response` under its lock.
public final class HTTPExchange: @unchecked Sendable {
  let connection: OpaquePointer
  /// The target as sent.
  let target: String
  private let intake: HTTPIntake
  /// The gate of its site; `nil` before the head has arrived.
  var gate: (any HTTPGate)?
  /// The queue of its site; `nil` before the head has arrived.
  var queue: HTTPQueue?
  /// The head; `nil` before it has arrived.
  var head: HTTPHead?
  /// The authenticated sender.
  var principal: Principal?
  /// The received part of the body.
  var body: [UInt8] = []
  /// The reason why it is refused; `nil` if it is accepted.
  var refusal: HTTPResponse?
  /// The request; `nil` before it is complete.
  public internal(set) var request: HTTPRequest?
  /// The response; `nil` before it is set.
  var response: HTTPResponse?

  init(_ connection: OpaquePointer, target: String, intake: HTTPIntake) {
    self.connection = connection
    self.target = target
    self.intake = intake
  }

  /// Identifies its connection.
  var id: ConnectionID { ConnectionID(connection) }

  /// Answers the request. It ignores a second response.
  public func answer(_ response: HTTPResponse) { intake.answer(self, response) }

  /// Whether nothing waits for the answer: the request only reads, and its sender has closed the connection.
  var isAbandoned: Bool { (head?.method == "GET" || head?.method == "HEAD") && intake.hasHungUp(self) }

  /// The received headers.
  var headers: [String: String] {
    final class Headers { var all: [String: String] = [:] }
    let headers = Headers()
    MHD_get_connection_values(
      connection, .HEADER_KIND,
      { data, _, name, value in
        guard let data, let name, let value else { return .YES }
        let headers = Unmanaged<Headers>.fromOpaque(data).takeUnretainedValue()
        let key = String(cString: name).lowercased()
        let text = String(cString: value)
        headers.all[key] = headers.all[key].map { "\($0), \(text)" } ?? text
        return .YES
      }, Unmanaged.passUnretained(headers).toOpaque())
    return headers.all
  }

  /// Sends `response`.
  func queue(_ response: HTTPResponse) -> MHD_Result {
    let answer: OpaquePointer?
    switch response.body {
    case .bytes(var bytes): answer = MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY)
    case .file(let file):
      // libmicrohttpd closes it.
      let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
      guard descriptor >= 0 else { return .NO }
      answer = MHD_create_response_from_fd64(UInt64(file.size), descriptor)
    case .events(let stream): answer = HTTPEventSender.makeResponse(stream, to: id)
    }
    guard let answer else { return .NO }
    defer { MHD_destroy_response(answer) }
    for (name, value) in response.headers { MHD_add_response_header(answer, name, value) }
    if intake.isHandedOver, response.headers["Connection"] == nil {
      MHD_add_response_header(answer, "Connection", "close")
    }
    // Browsers apply it to all ports of a name, so not for this machine's own (RFC 6797).
    if let head, head.isSecure, !HostName.isLoopback(hostHeader: head.headers["host"] ?? "") {
      MHD_add_response_header(answer, "Strict-Transport-Security", "max-age=31536000")
    }
    for cookie in response.cookies { MHD_add_response_header(answer, "Set-Cookie", cookie) }
    return MHD_queue_response(connection, response.status, answer)
  }
}

/// Passes a stream's events to libmicrohttpd, which requests them on its own thread.
private final class HTTPEventSender {
  let stream: HTTPEventStream
  let connection: ConnectionID

  private init(_ stream: HTTPEventStream, _ connection: ConnectionID) {
    self.stream = stream
    self.connection = connection
  }

  static func makeResponse(_ stream: HTTPEventStream, to connection: ConnectionID) -> OpaquePointer? {
    let sender = Unmanaged.passRetained(HTTPEventSender(stream, connection)).toOpaque()
    return MHD_create_response_from_callback(
      cmicrohttpd_size_unknown, 4_096,
      { data, _, buffer, size in
        guard let data, let buffer else { return cmicrohttpd_end_of_stream }
        let sender = Unmanaged<HTTPEventSender>.fromOpaque(data).takeUnretainedValue()
        let count = sender.stream.take(.init(start: buffer, count: size), of: sender.connection)
        return count.map { $0 } ?? cmicrohttpd_end_of_stream
      }, sender,
      { data in
        guard let data else { return }
        let sender = Unmanaged<HTTPEventSender>.fromOpaque(data).takeRetainedValue()
        sender.stream.close()
      })
  }
}

extension HTTPExchange: Hashable {
  /// Whether both are the same object.
  public static func == (a: HTTPExchange, b: HTTPExchange) -> Bool { a === b }

  /// By identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An HTTP response.
public struct HTTPResponse: Sendable {
  /// The body of a response.
  public enum Body: Sendable {
    /// Complete bytes.
    case bytes([UInt8])
    /// A file, which is not read into memory.
    case file(OpenFile)
    /// Events over time, until one end closes the connection.
    case events(HTTPEventStream)
  }

  /// The status code (RFC 9110, section 15).
  public var status: UInt32
  /// The headers, besides those of every response.
  public var headers: [String: String]
  /// The values of Set-Cookie headers, which can be repeated.
  public var cookies: [String] = []
  /// The body.
  public var body: Body

  /// A response.
  public init(status: UInt32, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = .bytes(body)
  }

  /// A stream of server-sent events.
  public init(events: HTTPEventStream) {
    status = 200
    headers = ["Content-Type": "text/event-stream", "Cache-Control": "no-store"]
    body = .events(events)
  }

  /// The bytes of the body; empty for a stream.
  public var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

  /// A response with JSON.
  public static func json(_ body: String, status: UInt32 = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }

  /// An error response with one line of text.
  public static func refusal(_ status: UInt32, _ text: String, headers: [String: String] = [:])
    -> HTTPResponse
  {
    HTTPResponse(
      status: status, headers: headers.merging(["Content-Type": "text/plain; charset=utf-8"]) { $1 },
      body: Array((text + "\n").utf8))
  }

  /// An error response after which the connection ends, because where its next request begins is not known.
  static func closing(_ status: UInt32, _ text: String) -> HTTPResponse {
    refusal(status, text, headers: ["Connection": "close"])
  }

  /// A redirect to another address.
  public static func redirect(to address: String) -> HTTPResponse {
    HTTPResponse(status: 303, headers: ["Location": address, "Cache-Control": "no-store"])
  }

  /// This response with more headers. They replace headers of the same name.
  public func with(_ more: [String: String]) -> HTTPResponse {
    var response = self
    response.headers.merge(more) { $1 }
    return response
  }

  /// Status 200 without content.
  public static let done = HTTPResponse(status: 200)

  /// The server is overloaded; the client should retry later.
  public static let busy = HTTPResponse.refusal(
    503, "the server is busy; retry later", headers: ["Retry-After": "10"])
}
